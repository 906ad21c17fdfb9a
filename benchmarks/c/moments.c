/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eberly, Polyhedral Mass Properties (Revisited), as published: one face after the other, no blocking, no SIMD by
   hand. It knows nothing of centring, so its tensor is only good near the origin. */
#include <stdint.h>

#define SUBEXPRESSIONS(w0, w1, w2, f1, f2, f3, g0, g1, g2)                                                           \
    do {                                                                                                             \
        double t0 = (w0) + (w1), t1 = (w0) * (w0), t2 = t1 + (w1)*t0;                                                \
        f1 = t0 + (w2);                                                                                              \
        f2 = t2 + (w2)*f1;                                                                                           \
        f3 = (w0)*t1 + (w1)*t2 + (w2)*f2;                                                                            \
        g0 = f2 + (w0) * (f1 + (w0));                                                                                \
        g1 = f2 + (w1) * (f1 + (w1));                                                                                \
        g2 = f2 + (w2) * (f1 + (w2));                                                                                \
    } while (0)

/* out: integrals of 1, x, y, z, xx, yy, zz, xy, yz, zx over the solid. */
void moments(const float *vertices, const int32_t *triangles, int64_t count, double *out)
{
    double sum[10] = {0};
    for (int64_t i = 0; i < count; i++) {
        const float *a = vertices + 3 * (int64_t)triangles[3 * i];
        const float *b = vertices + 3 * (int64_t)triangles[3 * i + 1];
        const float *c = vertices + 3 * (int64_t)triangles[3 * i + 2];
        double x0 = a[0], y0 = a[1], z0 = a[2], x1 = b[0], y1 = b[1], z1 = b[2], x2 = c[0], y2 = c[1], z2 = c[2];
        double a1 = x1 - x0, b1 = y1 - y0, c1 = z1 - z0, a2 = x2 - x0, b2 = y2 - y0, c2 = z2 - z0;
        double d0 = b1 * c2 - b2 * c1, d1 = a2 * c1 - a1 * c2, d2 = a1 * b2 - a2 * b1;
        double f1x, f2x, f3x, g0x, g1x, g2x, f1y, f2y, f3y, g0y, g1y, g2y, f1z, f2z, f3z, g0z, g1z, g2z;
        SUBEXPRESSIONS(x0, x1, x2, f1x, f2x, f3x, g0x, g1x, g2x);
        SUBEXPRESSIONS(y0, y1, y2, f1y, f2y, f3y, g0y, g1y, g2y);
        SUBEXPRESSIONS(z0, z1, z2, f1z, f2z, f3z, g0z, g1z, g2z);
        sum[0] += d0 * f1x;
        sum[1] += d0 * f2x;
        sum[2] += d1 * f2y;
        sum[3] += d2 * f2z;
        sum[4] += d0 * f3x;
        sum[5] += d1 * f3y;
        sum[6] += d2 * f3z;
        sum[7] += d0 * (y0 * g0x + y1 * g1x + y2 * g2x);
        sum[8] += d1 * (z0 * g0y + z1 * g1y + z2 * g2y);
        sum[9] += d2 * (x0 * g0z + x1 * g1z + x2 * g2z);
    }
    static const double divisor[10] = {6, 24, 24, 24, 60, 60, 60, 120, 120, 120};
    for (int k = 0; k < 10; k++)
        out[k] = sum[k] / divisor[k];
}
