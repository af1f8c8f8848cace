// What lacks a doc comment, and examples that a reader could not run as they are.

export function problemsIn({ name: entry, symbols }) {
  return symbols.flatMap((symbol) => {
    const place = `${entry}: ${symbol.name}`;
    const { members = [] } = symbol;
    return [
      ...(symbol.text ? [] : [place]),
      ...exampleProblems(place, symbol),
      ...members.flatMap((member) => memberProblems(`${place}.${member.name}`, member)),
    ];
  });
}

function memberProblems(place, member) {
  const { text, default: fallback, members = [] } = member;
  const nested = members.filter((each) => each.written && !each.text && !each.default);
  return [
    ...(text || fallback ? [] : [place]),
    ...exampleProblems(place, member),
    ...nested.map((each) => `${place} > ${each.name}`),
  ];
}

function exampleProblems(place, { examples }) {
  return examples.some((code) => !/^import /.test(code)) ? [`${place} (an example without its imports)`] : [];
}
