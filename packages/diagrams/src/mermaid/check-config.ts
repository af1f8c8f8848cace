// A diagram brings configuration of its own: front matter and init directives. Mermaid puts its values into stylesheets and
// checks only the outermost ones, so every value is checked here before Mermaid sees it, at any depth, by its type.

type Plain = Record<string, unknown>;

/**
 * A copy of `config` without the values that have the wrong type; their paths are added to `ignored`. `defaults` is Mermaid's
 * own configuration and says which type a value has. The function also runs in a browser's page, by its source, so it uses
 * nothing from outside itself.
 */
export function checkConfig(config: unknown, defaults: unknown, ignored: string[]): Record<string, unknown> {
  const MAX_DEPTH = 5;
  const MAX_ENTRIES = 500;
  const MAX_CHARS = 1000;
  const FORBIDDEN_KEY = /^(?:__proto__|prototype|constructor)$/;
  const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/u;
  const MARKUP = /[<>\\]/;
  const STYLE_KEY = /font|colou?r|fill|stroke|background|css|style/i;
  const STYLE = /^(?:[\p{L}\p{N}_ #%.,+/*()-]|"[\p{L}\p{N}_ .-]*"|'[\p{L}\p{N}_ .-]*')*$/u;
  const FUNCTIONS =
    /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color-mix|calc|min|max|clamp|var|drop-shadow|blur|brightness|)$/i;
  const isObject = (value: unknown): value is Plain => typeof value === "object" && value !== null;

  const isStyle = (text: string): boolean => {
    if (!STYLE.test(text)) return false;
    let depth = 0;
    for (const character of text) {
      if (character === "(") depth++;
      if (character === ")" && --depth < 0) return false;
    }
    return depth === 0 && [...text.matchAll(/([\w-]*)\(/g)].every(([, name = ""]) => FUNCTIONS.test(name));
  };

  const checkString = (text: string, expected: unknown, inStyle: boolean): string | undefined => {
    if (text.length > MAX_CHARS || UNPRINTABLE.test(text) || MARKUP.test(text)) return undefined;
    if (typeof expected === "number") return /^[-+]?[\d.]+ ?[a-z%]{0,4}$/i.test(text) ? text : undefined;
    if (typeof expected === "boolean") return /^[\w-]*$/.test(text) ? text : undefined;
    // Mermaid's own documentation ends lists of fonts with a semicolon.
    const value = inStyle ? text.replace(/[; ]+$/, "") : text;
    return inStyle && !isStyle(value) ? undefined : value;
  };

  const check = (value: unknown, expected: unknown, path: string, inStyle: boolean, depth: number): unknown => {
    switch (typeof value) {
      case "boolean":
        return isObject(expected) ? undefined : value;
      case "number":
        return Number.isFinite(value) && !isObject(expected) ? value : undefined;
      case "string":
        return isObject(expected) ? undefined : checkString(value, expected, inStyle);
      case "object":
        break;
      default:
        return undefined;
    }
    if (value === null || depth > MAX_DEPTH || typeof expected === "function") return undefined;
    if (Array.isArray(value)) {
      if ((expected !== undefined && !Array.isArray(expected)) || value.length > MAX_ENTRIES) return undefined;
      const kept = value.map((each) => (isObject(each) ? undefined : check(each, undefined, path, inStyle, depth + 1)));
      return kept.includes(undefined) ? undefined : kept;
    }
    if (expected !== undefined && (!isObject(expected) || Array.isArray(expected))) return undefined;
    return checkObject(value as Plain, expected as Plain | undefined, path, inStyle, depth);
  };

  const checkObject = (
    value: Plain,
    expected: Plain | undefined,
    path: string,
    inStyle: boolean,
    depth: number,
  ): Plain => {
    const kept: Plain = {};
    for (const key of Object.keys(value).slice(0, MAX_ENTRIES)) {
      if (FORBIDDEN_KEY.test(key) || key.length > MAX_CHARS || UNPRINTABLE.test(key) || value[key] === null) continue;
      const reference = expected !== undefined && Object.hasOwn(expected, key) ? expected[key] : undefined;
      const at = path === "" ? key : `${path}.${key}`;
      const isPartOfStyle = inStyle || key === "themeVariables" || STYLE_KEY.test(key);
      const checked = check(value[key], reference, at, isPartOfStyle, depth + 1);
      if (checked === undefined) ignored.push(at.slice(0, 100));
      else kept[key] = checked;
    }
    return kept;
  };

  if (!isObject(config) || Array.isArray(config)) return {};
  return checkObject(config, isObject(defaults) ? defaults : undefined, "", false, 0);
}
