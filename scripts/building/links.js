// The relative links of a Markdown document, outside of code.

const CODE_OR_LINK = /^```[\s\S]*?^```$|`[^`\n]*`|\]\((?<target>[^)\s]+)\)/gm;

/** The document with each relative link replaced by what `replace` gives for it. */
export function linksTo(markdown, replace) {
  return markdown.replaceAll(CODE_OR_LINK, (whole, ...rest) => {
    const { target } = rest.at(-1);
    if (target === undefined || /^[a-z]+:/.test(target)) return whole;
    return `](${replace(target)})`;
  });
}
