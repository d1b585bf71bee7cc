# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# known.rb FILE: a heap dump with 500 objects of the class Leaf; prints their number.
require "objspace"

class Leaf
  def initialize(n)
    @name = "leaf #{n}"
  end
end

LEAVES = (0...500).map { |n| Leaf.new(n) }
GC.start
puts ObjectSpace.each_object(Leaf).count
File.open(ARGV[0], "w") { |to| ObjectSpace.dump_all(output: to) }
