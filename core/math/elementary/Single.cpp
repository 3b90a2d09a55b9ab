// In single precision: those of double precision, rounded.

extern "C" {

double sin(double x);
double cos(double x);
double exp(double x);
double log(double x);
double log2(double x);
double pow(double x, double y);
void sincos(double x, double* sine, double* cosine);

float sinf(float x) { return static_cast<float>(sin(static_cast<double>(x))); }
float cosf(float x) { return static_cast<float>(cos(static_cast<double>(x))); }
float expf(float x) { return static_cast<float>(exp(static_cast<double>(x))); }
float exp2f(float x) { return static_cast<float>(pow(2, static_cast<double>(x))); }
float logf(float x) { return static_cast<float>(log(static_cast<double>(x))); }
float log2f(float x) { return static_cast<float>(log2(static_cast<double>(x))); }
float powf(float x, float y) { return static_cast<float>(pow(static_cast<double>(x), static_cast<double>(y))); }

void sincosf(float x, float* sine, float* cosine)
{
    double s = 0, c = 0;
    sincos(static_cast<double>(x), &s, &c);
    *sine = static_cast<float>(s);
    *cosine = static_cast<float>(c);
}

} // extern "C"
