TEN = None
