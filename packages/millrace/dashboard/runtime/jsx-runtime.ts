// What JSX compiles to. Bundlers in development mode ask for `jsxDEV`, which here is the same without its warnings.

import { jsx } from "react/jsx-runtime";

export { Fragment, jsx, jsxs } from "react/jsx-runtime";

export function jsxDEV(type: Parameters<typeof jsx>[0], props: unknown, key?: string): ReturnType<typeof jsx> {
  return jsx(type, props, key);
}
