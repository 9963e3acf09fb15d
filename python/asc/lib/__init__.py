"""Host-side libraries programs written for devices import."""
