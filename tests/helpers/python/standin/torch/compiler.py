compiling = False


def is_compiling():
    return compiling


def is_dynamo_compiling():
    return compiling
