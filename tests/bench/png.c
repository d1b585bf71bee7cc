/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * png OUT IN...: writes PNG files again, with libpng alone and as icecore does it: OUT/0.png, OUT/1.png, ...
 * Prints bytes of pixels, and the seconds that the writing took: on the wall, of the processor.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <png.h>

#include "query/print/pictures.h"

static double
seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static _Noreturn void
die(const char *path)
{
	perror(path);
	exit(1);
}

static uint8_t *
read_file(const char *path, png_image *image)
{
	uint8_t *pixels = NULL;

	memset(image, 0, sizeof *image);
	image->version = PNG_IMAGE_VERSION;
	if (!png_image_begin_read_from_file(image, path))
		die(path);
	image->format = PNG_FORMAT_RGBA;
	pixels = malloc(PNG_IMAGE_SIZE(*image));
	if (pixels == NULL || !png_image_finish_read(image, NULL, pixels, 0, NULL))
		die(path);
	return pixels;
}

static void
write_file(const char *path, const png_image *image, const uint8_t *pixels)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png == NULL ? NULL : png_create_info_struct(png);
	FILE *f = fopen(path, "wb");
	uint32_t y;

	if (f == NULL || info == NULL)
		die(path);
	png_init_io(png, f);
	png_set_compression_level(png, PNG_LEVEL);
	png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
	png_set_IHDR(png, info, image->width, image->height, 8, PNG_COLOR_TYPE_RGBA,
	    PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
	for (y = 0; y < image->height; y++)
		png_write_row(png, pixels + (size_t)y * image->width * 4);
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	if (fclose(f) != 0)
		die(path);
}

int
main(int argc, char **argv)
{
	double wall = 0, cpu = 0;
	uint64_t bytes = 0;
	png_image image;
	uint8_t *pixels;
	char path[4096];
	int i;

	for (i = 2; i < argc; i++) {
		pixels = read_file(argv[i], &image);
		snprintf(path, sizeof path, "%s/%d.png", argv[1], i - 2);
		wall -= seconds(CLOCK_MONOTONIC);
		cpu -= seconds(CLOCK_PROCESS_CPUTIME_ID);
		write_file(path, &image, pixels);
		wall += seconds(CLOCK_MONOTONIC);
		cpu += seconds(CLOCK_PROCESS_CPUTIME_ID);
		bytes += PNG_IMAGE_SIZE(image);
		free(pixels);
	}
	printf("%llu %.6f %.6f\n", (unsigned long long)bytes, wall, cpu);
	return 0;
}
