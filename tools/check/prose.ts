import ts from 'typescript';

/** A text that people read, and the lines (from 1) of its file that it covers. */
export type Prose = { kind: 'comment' | 'error' | 'log' | 'test name' | 'docs'; text: string; first: number; last: number };

/** Calls of these names are log lines: `log.error(…)`, `console.warn(…)`. */
const logMethods = new Set(['error', 'warn', 'info', 'debug', 'trace', 'fatal', 'log']);

const testFunctions = new Set(['test', 'it', 'describe']);

/** A comment's text without its marks and the stars at the beginning of its lines. */
const commentText = (source: string): string =>
  source
    .replace(/^\/\*+|\*+\/$|^\/\/+/g, '')
    .replaceAll(/^\s*\*+/gm, '')
    .trim();

/** Whether a comment addresses a tool (`oxlint-disable`, `@ts-…`, `<reference`) instead of a reader. */
const isForTools = (text: string): boolean => /^(?:@ts-|oxlint-|eslint-|@vite|\/?\s*<reference|v8 ignore)/.test(text);

function commentsIn(file: ts.SourceFile): Prose[] {
  const found = new Map<number, ts.CommentRange>();
  const note = (ranges: ts.CommentRange[] | undefined): void => ranges?.forEach((range) => found.set(range.pos, range));
  const visit = (node: ts.Node): void => {
    note(ts.getLeadingCommentRanges(file.text, node.getFullStart()));
    note(ts.getTrailingCommentRanges(file.text, node.getEnd()));
    for (const child of node.getChildren(file)) if (!ts.isJsxText(child)) visit(child);
  };
  visit(file);
  // Neighbouring line comments are one text: a sentence may continue on the next line.
  const texts: (Prose & { end: number })[] = [];
  for (const { pos, end, kind } of [...found.values()].toSorted((a, b) => a.pos - b.pos)) {
    const text = commentText(file.text.slice(pos, end));
    if (isForTools(text)) continue;
    const before = texts.at(-1);
    const isContinued =
      kind === ts.SyntaxKind.SingleLineCommentTrivia && before && /^\s*$/.test(file.text.slice(before.end, pos));
    const [first, last] = [lineAt(file, pos), lineAt(file, end)];
    if (isContinued && before.last === first - 1) Object.assign(before, { text: `${before.text}\n${text}`, last, end });
    else texts.push({ kind: 'comment', text, first, last, end });
  }
  return texts.map(({ kind, text, first, last }) => ({ kind, text, first, last }));
}

const lineAt = (file: ts.SourceFile, position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;

/** Says how a call uses its text arguments; undefined for calls that print nothing. */
function kindOf(call: ts.CallExpression | ts.NewExpression): Prose['kind'] | undefined {
  const { expression } = call;
  if (ts.isNewExpression(call)) {
    const isError = ts.isThrowStatement(call.parent) || /(?:Error|Refusal)$|^Bad[A-Z]/.test(expression.getText());
    return isError ? 'error' : undefined;
  }
  if (ts.isIdentifier(expression)) return testFunctions.has(expression.text) ? 'test name' : undefined;
  if (ts.isCallExpression(expression)) return kindOf(expression) === 'test name' ? 'test name' : undefined;
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  if (ts.isIdentifier(expression.expression) && testFunctions.has(expression.expression.text)) return 'test name';
  return logMethods.has(expression.name.text) && /(?:log|logger|console)$/.test(expression.expression.getText())
    ? 'log'
    : undefined;
}

function textsIn(file: ts.SourceFile): Prose[] {
  const found: Prose[] = [];
  const visit = (node: ts.Node, kind: Prose['kind'] | undefined): void => {
    if (kind && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))) {
      const [first, last] = [lineAt(file, node.getStart(file)), lineAt(file, node.getEnd())];
      const text = ts.isStringLiteralLike(node) ? node.text : node.getText(file).slice(1, -1);
      // A single word is a code or a name.
      if (/\s/.test(text.trim())) found.push({ kind, text: text.replaceAll(/\$\{[^{}]*\}/g, '`…`'), first, last });
    }
    const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
    const own = isCall ? kindOf(node) : undefined;
    ts.forEachChild(node, (child) => {
      const isArgument = isCall && node.arguments?.includes(child as ts.Expression);
      // The body of a test or of a callback is code of its own.
      visit(child, ts.isFunctionLike(child) ? undefined : isArgument ? own : isCall ? undefined : kind);
    });
  };
  visit(file, undefined);
  return found;
}

/** The paragraphs of a page of docs, without its code. */
function paragraphsIn(text: string): Prose[] {
  const found: Prose[] = [];
  let isCode = false;
  for (const [at, line] of text.split('\n').entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    else if (!isCode && !/^ {4}/.test(line) && line.trim() !== '') {
      // The cells of a table are sentences of their own.
      const lines = line.split('|').map((cell) => cell.replace(/^[\s>#*\d.-]+/, '').trim());
      for (const cell of lines) if (cell !== '') found.push({ kind: 'docs', text: cell, first: at + 1, last: at + 1 });
    }
  }
  return found;
}

/** All texts of a file that people read; none of a file that is neither a program nor a page of docs. */
export function proseIn(path: string, text: string): Prose[] {
  if (path.endsWith('.md')) return paragraphsIn(text);
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return [...commentsIn(file), ...textsIn(file)];
}
