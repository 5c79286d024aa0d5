/** web/src/ui/controls.ts: the controls of panels: sections, choices, sliders, switches, buttons. */
import { el } from "../app/dom.js";

let made = 0;

/** A titled part of a panel. */
export function section(title: string, ...children: (Node | string)[]): HTMLElement {
  return el("section", { class: "section" }, el("h2", {}, title), ...children);
}

function field(label: string, control: HTMLElement, beside?: HTMLElement): HTMLElement {
  control.id ||= `control-${++made}`;
  const name = el("label", { for: control.id }, label);
  return el("div", { class: "field" }, name, control, ...(beside ? [beside] : []));
}

export interface Choice<T extends string> {
  element: HTMLElement;
  value: T;
  setOptions(options: readonly (T | { value: T; label: string })[]): void;
  setEnabled(enabled: boolean): void;
}

/** One of several, as a list that folds out. `changed` is called for choices of the user only. */
export function choice<T extends string>(
  label: string,
  options: readonly (T | { value: T; label: string })[],
  changed: (value: T) => void,
): Choice<T> {
  const select = el("select", { onchange: () => changed(select.value as T) });
  const control: Choice<T> = {
    element: field(label, select),
    get value() {
      return select.value as T;
    },
    set value(value: T) {
      select.value = value;
    },
    setOptions(list) {
      const before = select.value;
      const entries = list.map((one) => (typeof one === "string" ? { value: one, label: one as string } : one));
      select.replaceChildren(...entries.map((one) => el("option", { value: one.value }, one.label)));
      if (entries.some((one) => one.value === before)) select.value = before;
    },
    setEnabled(enabled) {
      select.disabled = !enabled;
    },
  };
  control.setOptions(options);
  return control;
}

export interface Slider {
  element: HTMLElement;
  value: number;
  setEnabled(enabled: boolean): void;
  setRange(min: number, max: number, step: number): void;
}

/** A number between two others; `text` is how it is shown. */
export function slider(
  label: string,
  range: { min: number; max: number; step: number; value: number },
  changed: (value: number) => void,
  text: (value: number) => string = String,
): Slider {
  const { min, max, step, value } = range;
  const input = el("input", { type: "range", min, max, step, value });
  const output = el("output", { class: "figure" }, text(value));
  const show = () => (output.textContent = text(input.valueAsNumber));
  input.addEventListener("input", show);
  input.addEventListener("change", () => changed(input.valueAsNumber));
  const element = field(label, input, output);
  return {
    element,
    get value() {
      return input.valueAsNumber;
    },
    set value(next: number) {
      input.valueAsNumber = next;
      show();
    },
    setEnabled(enabled) {
      input.disabled = !enabled;
      element.classList.toggle("off", !enabled);
    },
    setRange(low, high, by) {
      Object.assign(input, { min: String(low), max: String(high), step: String(by) });
      show();
    },
  };
}

export interface Switch {
  element: HTMLElement;
  value: boolean;
  setEnabled(enabled: boolean): void;
}

/** On or off. */
export function toggle(label: string, value: boolean, changed: (value: boolean) => void): Switch {
  const input = el("input", { type: "checkbox", role: "switch", checked: value });
  input.addEventListener("change", () => changed(input.checked));
  const element = el("label", { class: "switch" }, input, el("span", {}, label));
  return {
    element,
    get value() {
      return input.checked;
    },
    set value(next: boolean) {
      input.checked = next;
    },
    setEnabled(enabled) {
      input.disabled = !enabled;
      element.classList.toggle("off", !enabled);
    },
  };
}

export function button(label: string, run: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  return el("button", { type: "button", onclick: run, ...attributes }, label);
}

/** Buttons side by side. */
export function row(...children: HTMLElement[]): HTMLElement {
  return el("div", { class: "row" }, ...children);
}

/** Exactly one of a few, all of them visible. */
export function segments<T extends string>(
  label: string,
  options: readonly { value: T; label: string; hint?: string }[],
  changed: (value: T) => void,
): { element: HTMLElement; value: T } {
  const name = `segments-${++made}`;
  const inputs = options.map((one) =>
    el("input", { type: "radio", name, value: one.value, onchange: () => changed(one.value) }),
  );
  const labels = options.map((one, i) =>
    el("label", { title: one.hint ?? one.label }, inputs[i]!, el("span", {}, one.label)),
  );
  const group = el("div", { class: "segments", role: "radiogroup", "aria-label": label }, ...labels);
  inputs[0]!.checked = true;
  return {
    element: el("div", { class: "field wide" }, el("span", { class: "label" }, label), group),
    get value() {
      return (inputs.find((one) => one.checked)?.value ?? options[0]!.value) as T;
    },
    set value(value: T) {
      for (const one of inputs) one.checked = one.value === value;
    },
  };
}
