#!/bin/bash
# Walks the whole story.
