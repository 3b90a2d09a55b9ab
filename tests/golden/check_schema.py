#!/usr/bin/env python3
"""check_schema.py SCHEMA FILE...: checks JSON files against a schema, strictly: a member that the schema does not
describe is also an error, so that the schema cannot fall behind the program."""

import json
import sys

import jsonschema


def closed(schema):
    """The schema with every object that lists its properties closed to others."""
    if isinstance(schema, list):
        return [closed(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: closed(value) for name, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "additionalProperties" not in schema:
        result["additionalProperties"] = False
    return result


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(closed(schema))
    failed = False
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        for error in validator.iter_errors(document):
            failed = True
            print(f"{path}: /{'/'.join(str(part) for part in error.absolute_path)}: {error.message[:200]}")
    print(f"{len(sys.argv) - 2} files checked")
    sys.exit(failed or len(sys.argv) < 3)


if __name__ == "__main__":
    main()
