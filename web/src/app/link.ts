/** web/src/app/link.ts: the view and its settings in the part of the address after #: "#fly&seed=3". */

export interface Link {
  view: string | null;
  settings: ReadonlyMap<string, string>;
}

export function readLink(hash: string): Link {
  const [view, ...pairs] = hash.replace(/^#/, "").split("&");
  const settings = new Map<string, string>();
  for (const pair of pairs) {
    const [name, ...rest] = pair.split("=");
    if (name) settings.set(decode(name), decode(rest.join("=")));
  }
  return { view: view ? decode(view) : null, settings };
}

export function writeLink(view: string, settings: Record<string, string>): string {
  const pairs = Object.entries(settings).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return "#" + [encode(view), ...pairs].join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%20", "+");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
