// SPDX-License-Identifier: GPL-3.0-or-later
// A program without Python: a line of JSON reports a point. Built with: cc -O2 -o descent descent.c
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
    const char* metrics = getenv("TRAINYARD_METRICS"); // not there outside a run
    const double rate = count > 1 ? atof(words[1]) : 0.1;
    double weight = 0;
    for (int step = 1; step <= 50; ++step) {
        weight += rate * (1 - weight);
        const double loss = (1 - weight) * (1 - weight);
        printf("step %d: loss %.6f\n", step, loss);
        FILE* file = metrics ? fopen(metrics, "a") : NULL;
        if (!file) continue;
        fprintf(file, "{\"step\": %d, \"train/loss\": %.17g}\n", step, loss);
        fclose(file);
    }
    return 0;
}
