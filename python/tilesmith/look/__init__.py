"""Looking at launches: what a profile says in text, in notebooks, as a trace for Perfetto and as a page; two of them compared.

Everything here reads records of launches (asc.runtime.profile) and changes nothing.
"""
