"""Reads {"schemas": {KIND: SCHEMA}, "samples": [[KIND, DOCUMENT], ...]} and prints the list of verdicts. Debian's python3-jsonschema."""
import json
import sys

from jsonschema import Draft202012Validator

given = json.load(sys.stdin)
for schema in given["schemas"].values():
    Draft202012Validator.check_schema(schema)
validators = {kind: Draft202012Validator(schema) for kind, schema in given["schemas"].items()}
print(json.dumps([validators[kind].is_valid(document) for kind, document in given["samples"]]))
