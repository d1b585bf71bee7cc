/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chance: the quantile of Student's distribution, and random numbers that are the same in each run.
 */
#include "config.h"

#include <assert.h>
#include <math.h>

#include "compare.h"

#define TAIL 0.05		/* both sides */
#define STEPS 300
#define TINY 1e-300

static double
away_from_zero(double x)
{
	return fabs(x) < TINY ? TINY : x;
}

/* The continued fraction of the incomplete beta function, by the method of Lentz. */
static double
beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), sum = d;

	for (int m = 1; m < STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), step;

		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		sum *= d * c;
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		step = d * c;
		sum *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return sum;
}

/* The regularized incomplete beta function. */
static double
beta_share(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a :
	    1 - front * beta_fraction(b, a, 1 - x) / b;
}

double
chance_student(double freedom)
{
	double low = 0, high = 1024, t = 0;

	assert(freedom > 0);
	for (int i = 0; i < 100; i++) {
		t = (low + high) / 2;
		if (beta_share(freedom / 2, 0.5, freedom / (freedom + t * t)) > TAIL)
			low = t;
		else
			high = t;
	}
	return t;
}

uint64_t
chance_below(uint64_t *state, uint64_t n)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return (uint64_t)((unsigned __int128)z * n >> 64);
}
