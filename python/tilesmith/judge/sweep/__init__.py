"""Every candidate of every task below a folder, judged (`tilesmith sweep`)."""
