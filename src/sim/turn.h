/// sim/turn.h: sine and cosine without libm, so that motions are the same bytes on every machine.
#ifndef VNI_SIM_TURN_H
#define VNI_SIM_TURN_H

#define VNI_TAU 6.283185307179586476925

/// Cosine and sine of an angle in turns (1 is 360 degrees), within 1e-14; quarter
/// turns are exact.
void vni_turn(double turns, double* cosine, double* sine);

/// What is left of `value` after whole multiples of `period` (> 0): in [0, period).
double vni_wrap(double value, double period);

#endif
