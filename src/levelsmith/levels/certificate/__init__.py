"""The program that verifies certificates of levels without levelsmith."""
