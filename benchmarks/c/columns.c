/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The signed column method of core/mesh/voxels/columns.py, one face after the other. corners: x, y, z of each vertex in
   voxels, so that columns stand at whole numbers of x and y. net: a zeroed counter for each step along each row. */
#include <math.h>
#include <stdint.h>

#define SWAP(i, j)                                                                                                   \
    if (y[i] > y[j]) {                                                                                               \
        double t;                                                                                                    \
        t = x[i], x[i] = x[j], x[j] = t;                                                                             \
        t = y[i], y[i] = y[j], y[j] = t;                                                                             \
        t = z[i], z[i] = z[j], z[j] = t;                                                                             \
        parity = -parity;                                                                                            \
    }

/* out: sums of h (1, x, y, h, xx, xy, xh, yy, yh, hh) over all crossings, about middle. */
void columns(const float *vertices, int64_t points, const int32_t *triangles, int64_t count, double size,
             const double *shift, const double *middle, int64_t width, double *corners, int32_t *net, double *out)
{
    double sum[10] = {0};
    for (int64_t i = 0; i < points; i++)
        for (int k = 0; k < 3; k++)
            corners[3 * i + k] = vertices[3 * i + k] / size + shift[k];
    for (int64_t i = 0; i < count; i++) {
        double x[3], y[3], z[3], parity = 1;
        for (int k = 0; k < 3; k++) {
            const double *corner = corners + 3 * (int64_t)triangles[3 * i + k];
            x[k] = corner[0], y[k] = corner[1], z[k] = corner[2];
        }
        SWAP(0, 1)
        SWAP(1, 2)
        SWAP(0, 1)
        for (double row = ceil(y[0]), last = ceil(y[2]); row < last; row++) {
            int upper = row >= y[1];
            double along = (row - y[0]) / (y[2] - y[0]);
            double beside = (row - y[upper]) / (y[1 + upper] - y[upper]);
            double xl = x[0] + along * (x[2] - x[0]), zl = z[0] + along * (z[2] - z[0]);
            double xs = x[upper] + beside * (x[1 + upper] - x[upper]), zs = z[upper] + beside * (z[1 + upper] - z[upper]);
            double a = ceil(xl), b = ceil(xs);
            if (a == b)
                continue;
            double sign = a < b ? parity : -parity, slope = (zs - zl) / (xs - xl);
            if (a > b) {
                double t = a;
                a = b, b = t;
            }
            int64_t at = (int64_t)(row - 1) * width - 1;
            net[at + (int64_t)a] += (int32_t)sign;
            net[at + (int64_t)b] -= (int32_t)sign;
            /* n columns in line: their mean, and about it the second moment q of x; h changes by slope from one to the
               next. */
            double n = b - a, q = (n * n - 1) / 12, w = sign * n;
            double u = a + (n - 1) / 2 - middle[0], v = row - middle[1];
            double h = zl + (a + (n - 1) / 2 - xl) * slope - middle[2], xh = q * slope, hh = xh * slope;
            sum[0] += w * h;
            sum[1] += w * (h * u + xh);
            sum[2] += w * h * v;
            sum[3] += w * (h * h + hh);
            sum[4] += w * (h * (u * u + q) + 2 * u * xh);
            sum[5] += w * (h * u + xh) * v;
            sum[6] += w * (u * (h * h + hh) + 2 * h * xh);
            sum[7] += w * h * v * v;
            sum[8] += w * (h * h + hh) * v;
            sum[9] += w * h * (h * h + 3 * hh);
        }
    }
    for (int k = 0; k < 10; k++)
        out[k] = sum[k];
}
