"""`tilesmith lsp`: the rules of lint in an editor, by the Language Server Protocol over stdin and stdout.

`wire` has messages, `server` what they ask for, `names` what is known about names of the languages.
"""
