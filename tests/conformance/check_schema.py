"""check_schema.py SCHEMA FILE...: each FILE must match the SCHEMA, and copies of it with a mistake must not."""
import copy
import json
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: the package python3-jsonschema is not installed")
    sys.exit(77)


def spoiled(good):
    """Copies of a description with one mistake each."""
    for change in (
        lambda d: d.pop("id"),
        lambda d: d.update(alias="Not An Alias"),
        lambda d: d.update(alias="default"),
        lambda d: d.update(sdk=[1]),
        lambda d: d.update(features=["makes-coffee"]),
        lambda d: d.update(jointKinds=[]),
        lambda d: d.update(colour="red"),
        lambda d: d["parameters"].append({"id": "x", "label": "X", "kind": "real", "default": 1, "doc": "no range"}),
        lambda d: d["parameters"].append({"id": "x", "label": "X", "kind": "enum", "default": "a", "doc": "no values"}),
    ):
        copied = copy.deepcopy(good)
        change(copied)
        yield copied


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    failures = 0
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            description = json.load(file)
        for error in validator.iter_errors(description):
            print(f"{path}: /{'/'.join(str(p) for p in error.absolute_path)}: {error.message}")
            failures += 1
        for number, copied in enumerate(spoiled(description)):
            if validator.is_valid(copied):
                print(f"{path}: spoiled copy {number} is taken by the schema")
                failures += 1
    print(f"{len(sys.argv) - 2} descriptions, {failures} failures")
    return 1 if failures or len(sys.argv) < 3 else 0


sys.exit(main())
