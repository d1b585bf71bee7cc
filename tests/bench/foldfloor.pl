#!/usr/bin/perl
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# foldfloor FILE: what a flame graph script in Perl does with folded stacks: reads the lines, looks for one count or two, sorts them,
# puts the stacks together into a tree, and draws a box for each node that is wide enough.
use strict;
use warnings;

my (@lines, %node, %open, @last);
my ($time, $widest) = (0, 1200);

# From one stack to the next: boxes that end here, boxes that begin here.
sub flow {
	my ($this, $at, $delta) = @_;
	my $same = 0;
	$same++ while $same < @last && $same < @$this && $last[$same] eq $this->[$same];
	for (my $i = $#last; $i >= $same; $i--) {
		my $box = delete $open{"$last[$i];$i"};
		$node{"$last[$i];$i;$at"} = $box;
	}
	for my $i ($same .. $#$this) {
		$open{"$this->[$i];$i"} = { begin => $at, delta => $delta };
	}
	@last = @$this;
}

@lines = <>;
for (sort @lines) {
	chomp;
	my ($stack, $count) = /^(.*)\s+?(\d+(?:\.\d*)?)$/ or next;
	my $before = $stack =~ s/\s+?(\d+(?:\.\d*)?)$// ? $1 : undef;
	flow(['', split /;/, $stack], $time, defined $before ? $count - $before : undef);
	$time += $count;
}
flow([], $time);
print qq(<svg xmlns="http://www.w3.org/2000/svg" width="$widest" height="2000">\n);
while (my ($key, $box) = each %node) {
	my ($name, $depth, $end) = $key =~ /^(.*);(\d+);([\d.]+)$/s;
	my $width = ($end - $box->{begin}) * $widest / $time;
	next if $width < 0.1;
	$name =~ s/&/&amp;/g;
	$name =~ s/</&lt;/g;
	printf qq(<rect x="%.1f" y="%d" width="%.1f" height="15"><title>%s</title></rect>\n),
	    $box->{begin} * $widest / $time, 2000 - $depth * 16, $width, $name;
}
print "</svg>\n";
