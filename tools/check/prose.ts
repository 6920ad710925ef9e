import ts from 'typescript';

/**
 * A text for readers. `text` has one line for each line of the file from `first` (from 1) on,
 * without comment marks.
 */
export type Prose = { kind: 'comment' | 'error' | 'log' | 'test name' | 'docs'; text: string; first: number };

/** Methods that write a log line: `log.error(…)`, `console.warn(…)`. */
const logMethods = new Set(['error', 'warn', 'info', 'debug', 'trace', 'fatal', 'log', 'write']);
const loggers = /(?:log|logger|console|stderr|stdout)$/;

const testFunctions = new Set(['test', 'it', 'describe']);
/** For `test.each(…)(name, …)`: the first call takes a table, the second one the name. */
const tableMethods = new Set(['each', 'for']);

/** Properties of a response that callers or operators read. */
const errorProperties = new Set(['error', 'message']);

const getLine = (file: ts.SourceFile, position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;

/** Strips a comment's marks, the stars at the start of its lines, and leading empty lines. */
function stripComment(source: string): { text: string; skipped: number } {
  const lines = source
    .replace(/^\/\*+|\*+\/$|^\/\/+/g, '')
    .split('\n')
    .map((line, index) => (index === 0 ? line : line.replace(/^\s*\*+/, '')).trim());
  const skipped = Math.max(
    0,
    lines.findIndex((line) => line !== ''),
  );
  return { text: lines.slice(skipped).join('\n').trimEnd(), skipped };
}

/** Whether a comment is a directive (`oxlint-disable`, `@ts-…`, `<reference`). */
const isDirective = (text: string): boolean => /^(?:@ts-|oxlint-|eslint-|@vite|\/?\s*<reference|v8 ignore)/.test(text);

function readComments(file: ts.SourceFile): Prose[] {
  const rangesByStart = new Map<number, ts.CommentRange>();
  const shownTexts: ts.JsxText[] = [];
  const addRanges = (ranges: ts.CommentRange[] | undefined): void =>
    ranges?.forEach((range) => rangesByStart.set(range.pos, range));
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) return void shownTexts.push(node);
    addRanges(ts.getLeadingCommentRanges(file.text, node.getFullStart()));
    addRanges(ts.getTrailingCommentRanges(file.text, node.getEnd()));
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  // Two slashes in JSX text are not a comment.
  const isShown = ({ pos }: ts.CommentRange): boolean => shownTexts.some((text) => text.pos <= pos && pos < text.end);
  const ranges = [...rangesByStart.values()].filter((range) => !isShown(range)).toSorted((a, b) => a.pos - b.pos);
  const texts: (Prose & { end: number })[] = [];
  for (const { pos, end, kind } of ranges) {
    const { text, skipped } = stripComment(file.text.slice(pos, end));
    if (isDirective(text)) continue;
    // Adjacent line comments are one text: a sentence may continue on the next line.
    const previous = texts.at(-1);
    const textBetween = previous && kind === ts.SyntaxKind.SingleLineCommentTrivia ? file.text.slice(previous.end, pos) : '';
    if (previous && /^\s*\n\s*$/.test(textBetween) && textBetween.split('\n').length === 2)
      Object.assign(previous, { text: `${previous.text}\n${text}`, end });
    else texts.push({ kind: 'comment', text, first: getLine(file, pos) + skipped, end });
  }
  return texts.map(({ kind, text, first }) => ({ kind, text, first }));
}

const isErrorClass = (node: ts.Node): boolean =>
  ts.isClassLike(node) &&
  (node.heritageClauses ?? []).some((clause) => clause.types.some(({ expression }) => expression.getText().endsWith('Error')));

/** The class around a node; undefined outside of classes. */
const findClass = (node: ts.Node): ts.Node | undefined => ts.findAncestor(node, (each) => ts.isClassLike(each));

/** The kind of text that a call takes as its arguments; undefined for calls that print nothing. */
function getCallKind(call: ts.CallExpression | ts.NewExpression): Prose['kind'] | undefined {
  const { expression, parent } = call;
  if (ts.isThrowStatement(parent)) return 'error';
  if (ts.isNewExpression(call)) return /(?:Error|Refusal)$|^Bad[A-Z]/.test(expression.getText()) ? 'error' : undefined;
  if (expression.kind === ts.SyntaxKind.SuperKeyword) {
    const enclosingClass = findClass(call);
    return enclosingClass && isErrorClass(enclosingClass) ? 'error' : undefined;
  }
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const { name } = expression;
  if (name.text === 'send') return 'error';
  return logMethods.has(name.text) && loggers.test(expression.expression.getText()) ? 'log' : undefined;
}

/**
 * Whether the first argument of a call names a test: `test('…')`, `test.only('…')`,
 * `test.each(…)('…')`.
 */
function isTestCall({ expression }: ts.CallExpression): boolean {
  if (ts.isIdentifier(expression)) return testFunctions.has(expression.text);
  if (ts.isPropertyAccessExpression(expression))
    return testFunctions.has(expression.expression.getText()) && !tableMethods.has(expression.name.text);
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  const table = expression.expression;
  return tableMethods.has(table.name.text) && testFunctions.has(table.expression.getText().split('.')[0] ?? '');
}

function readTexts(file: ts.SourceFile): Prose[] {
  const texts: Prose[] = [];
  const visit = (node: ts.Node, kind: Prose['kind'] | undefined): void => {
    if (kind && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))) {
      const text = ts.isStringLiteralLike(node) ? node.text : node.getText(file).slice(1, -1);
      // Skips single words, which are codes or names.
      if (/\s/.test(text.trim()))
        texts.push({ kind, text: text.replaceAll(/\$\{[^{}]*\}/g, '`…`'), first: getLine(file, node.getStart(file)) });
    }
    ts.forEachChild(node, (child) => visit(child, getChildKind(node, child, kind)));
  };
  visit(file, undefined);
  return texts;
}

function getChildKind(node: ts.Node, child: ts.Node, kind: Prose['kind'] | undefined): Prose['kind'] | undefined {
  // The body of a test or of a callback is code of its own.
  if (ts.isFunctionLike(child)) return undefined;
  if (ts.isPropertyAssignment(node)) {
    const isError = node.initializer === child && errorProperties.has(node.name.getText().replaceAll(/['"]/g, ''));
    return isError && ts.isStringLiteralLike(child) ? 'error' : kind;
  }
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return kind;
  const index = node.arguments?.indexOf(child as ts.Expression) ?? -1;
  if (index === -1) return undefined;
  if (ts.isCallExpression(node) && isTestCall(node)) return index === 0 ? 'test name' : undefined;
  return getCallKind(node);
}

/** Removes link targets: they are file names, not prose. */
const stripUrls = (line: string): string => line.replaceAll(/\]\([^)\s]*\)/g, ']');

/** The paragraphs, list items and table cells of a docs page, without code blocks. */
function readParagraphs(text: string): Prose[] {
  const paragraphs: Prose[] = [];
  let isCode = false;
  let paragraph: Prose | undefined;
  for (const [index, line] of text.split('\n').map(stripUrls).entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const isText = !isCode && !/^\s*```|^ {4}/.test(line) && line.trim() !== '';
    const isTable = line.startsWith('|');
    if (!isText || isTable || /^\s*(?:[#>*-]|\d+\.)\s/.test(line)) paragraph = undefined;
    if (!isText) continue;
    if (isTable) {
      const cells = line.replaceAll(/`[^`]*`/g, (code) => code.replaceAll('|', '/')).split('|');
      for (const cell of cells) if (cell.trim() !== '') paragraphs.push({ kind: 'docs', text: cell.trim(), first: index + 1 });
    } else if (paragraph) paragraph.text += `\n${line.trim()}`;
    else {
      paragraph = { kind: 'docs', text: line.replace(/^\s*(?:[#>*-]+|\d+\.)\s+/, '').trim(), first: index + 1 };
      paragraphs.push(paragraph);
    }
  }
  return paragraphs;
}

/** All readable texts of a file; empty for a file that is neither code nor a docs page. */
export function readProse(path: string, text: string): Prose[] {
  if (path.endsWith('.md')) return readParagraphs(text);
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return [...readComments(file), ...readTexts(file)];
}
