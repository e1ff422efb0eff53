"""What problems are about: one topic a file, each a function that fills a worksheet in exactly its steps.

Never draws from anything but the worksheet's own generator.
"""
