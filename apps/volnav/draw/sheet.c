/// volnav/draw/sheet.c: the ground, titles, legends.
#include "draw/sheet.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FONT "system-ui,'Segoe UI','Helvetica Neue','DejaVu Sans',sans-serif"

static const char* const colours[] = {"#ffb347", "#5ee6d0", "#ff6f91", "#b8f26b", "#c79bff", "#7fb8ff"};

const char* sheet_colour(uint32_t i) {
    return colours[i % (sizeof colours / sizeof *colours)];
}

void sheet_begin(svg_text* out, const char* title, double height) {
    assert(title != NULL && height > 0);
    svg_add(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
        "font-family=\"" FONT "\">\n<title>",
        SHEET_WIDTH, height, SHEET_WIDTH, height);
    svg_add_escaped(out, title);
    svg_add(
        out,
        "</title>\n<defs>"
        "<radialGradient id=\"sky\" cx=\".5\" cy=\".42\" r=\".8\"><stop offset=\"0\" stop-color=\"#24344f\"/>"
        "<stop offset=\".6\" stop-color=\"#162238\"/><stop offset=\"1\" "
        "stop-color=\"#0d1525\"/></radialGradient>"
        "</defs>\n");
    svg_add(out, "<rect width=\"%.0f\" height=\"%.0f\" rx=\"18\" fill=\"url(#sky)\"/>\n", SHEET_WIDTH,
            height);
}

void sheet_begin_title(svg_text* out, const char* title) {
    svg_add(out, "<text x=\"%.0f\" y=\"62\" font-size=\"30\" font-weight=\"650\" fill=\"#f2f6ff\">",
            SHEET_SIDE - 8);
    svg_add_escaped(out, title);
    svg_add(out, "</text>\n<text x=\"%.0f\" y=\"89\" font-size=\"15\" fill=\"#a9bbd8\">", SHEET_SIDE - 8);
}

void sheet_begin_row(svg_text* out, double x, double y, const char* mark) {
    svg_add(out, "<g transform=\"translate(%.0f %.1f)\">%s", x, y, mark);
    svg_add(out, "<text x=\"48\" y=\"5\" font-size=\"15\" fill=\"#dce6f7\">");
}

void sheet_end_row(svg_text* out) {
    svg_add(out, "</text></g>\n");
}

double sheet_round_number(double wish) {
    assert(wish > 0);
    const double power = pow(10, floor(log10(wish))), rest = wish / power;
    return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

void sheet_scale_bar(svg_text* out, double height, double pixels_per_metre, const char* note) {
    const double metres = sheet_round_number(150 / pixels_per_metre), length = metres * pixels_per_metre;
    const double x = SHEET_WIDTH - SHEET_SIDE - length, y = height - 44;
    svg_add(out, "<path fill=\"none\" stroke=\"#dce6f7\" stroke-width=\"2\" d=\"M%.1f %.1fv10h%.1fv-10\"/>",
            x, y - 5, length);
    svg_add(out,
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"14\" fill=\"#dce6f7\" text-anchor=\"middle\">%g m%s"
            "</text>\n",
            x + length / 2, y - 14, metres, note);
}

void sheet_axis(svg_text* out, int axis, double x, double y, double dx, double dy) {
    static const char* const names[3] = {"x", "y", "z"};
    static const char* const axis_colours[3] = {"#ff8a80", "#a5e887", "#82b1ff"};
    const double reach = 34, length = sqrt(dx * dx + dy * dy);
    const double ax = dx / length * reach, ay = dy / length * reach;
    assert(axis >= 0 && axis < 3 && length > 0);
    svg_add(out,
            "<path stroke=\"%s\" stroke-width=\"3\" stroke-linecap=\"round\" d=\"M%.1f %.1fl%.1f %.1f\"/>"
            "<text x=\"%.1f\" y=\"%.1f\" font-size=\"15\" font-weight=\"600\" fill=\"%s\" "
            "text-anchor=\"middle\">%s</text>\n",
            axis_colours[axis], x, y, ax, ay, x + ax * 1.4, y + ay * 1.4 + 5, axis_colours[axis],
            names[axis]);
}

const char* sheet_grouped(uint64_t value, char* text, size_t size) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    const size_t count = strlen(digits);
    size_t used = 0;
    for (size_t i = 0; i < count && used + 5 < size; ++i) {
        if (i > 0 && (count - i) % 3 == 0) {
            used += (size_t)snprintf(text + used, size - used, "\xe2\x80\x89");
        }
        text[used++] = digits[i];
    }

    text[used] = '\0';
    return text;
}

void sheet_leg(svg_text* out, double asked_x, double asked_y, double used_x, double used_y) {
    svg_add(out,
            "<path class=\"leg\" " SHEET_LEG_STYLE " d=\"M%.1f %.1fL%.1f %.1f\"/>"
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"#ff6f91\" stroke=\"#0a1120\"/>\n",
            asked_x, asked_y, used_x, used_y, asked_x, asked_y);
}

void sheet_add_legs_text(svg_text* out, const double snapped[2]) {
    svg_add(out, "snapped: ");
    if (snapped[0] > 0) {
        svg_add(out, "the start by %.3g m%s", snapped[0], snapped[1] > 0 ? ", " : "");
    }

    if (snapped[1] > 0) {
        svg_add(out, "the goal by %.3g m", snapped[1]);
    }
}
