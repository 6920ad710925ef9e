import ts from 'typescript';

/**
 * A text that people read. `text` has one line for each line of the file from `first` (from 1) on,
 * without comment marks.
 */
export type Prose = { kind: 'comment' | 'error' | 'log' | 'test name' | 'docs'; text: string; first: number };

/** Calls of these names are log lines: `log.error(…)`, `console.warn(…)`. */
const logMethods = new Set(['error', 'warn', 'info', 'debug', 'trace', 'fatal', 'log', 'write']);
const loggers = /(?:log|logger|console|stderr|stdout)$/;

const testFunctions = new Set(['test', 'it', 'describe']);
/** `test.each(…)` takes a table; the call of its result takes the name. */
const tableMethods = new Set(['each', 'for']);

/** Properties of an answer whose text a caller or an operator reads. */
const errorProperties = new Set(['error', 'message']);

const lineAt = (file: ts.SourceFile, position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;

/**
 * A comment without its marks, the stars at the beginning of its lines, and empty lines before it.
 */
function plainComment(source: string): { text: string; skipped: number } {
  const lines = source
    .replace(/^\/\*+|\*+\/$|^\/\/+/g, '')
    .split('\n')
    .map((line, at) => (at === 0 ? line : line.replace(/^\s*\*+/, '')).trim());
  const skipped = Math.max(
    0,
    lines.findIndex((line) => line !== ''),
  );
  return { text: lines.slice(skipped).join('\n').trimEnd(), skipped };
}

/**
 * Whether a comment addresses a tool (`oxlint-disable`, `@ts-…`, `<reference`) instead of a reader.
 */
const isForTools = (text: string): boolean => /^(?:@ts-|oxlint-|eslint-|@vite|\/?\s*<reference|v8 ignore)/.test(text);

function commentsIn(file: ts.SourceFile): Prose[] {
  const found = new Map<number, ts.CommentRange>();
  const shownTexts: ts.JsxText[] = [];
  const note = (ranges: ts.CommentRange[] | undefined): void => ranges?.forEach((range) => found.set(range.pos, range));
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) return void shownTexts.push(node);
    note(ts.getLeadingCommentRanges(file.text, node.getFullStart()));
    note(ts.getTrailingCommentRanges(file.text, node.getEnd()));
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  // Two slashes that a page shows are no comment.
  const isShown = ({ pos }: ts.CommentRange): boolean => shownTexts.some((text) => text.pos <= pos && pos < text.end);
  const ranges = [...found.values()].filter((range) => !isShown(range)).toSorted((a, b) => a.pos - b.pos);
  const texts: (Prose & { end: number })[] = [];
  for (const { pos, end, kind } of ranges) {
    const { text, skipped } = plainComment(file.text.slice(pos, end));
    if (isForTools(text)) continue;
    // Neighbouring line comments are one text: a sentence may continue on the next line.
    const before = texts.at(-1);
    const between = before && kind === ts.SyntaxKind.SingleLineCommentTrivia ? file.text.slice(before.end, pos) : '';
    if (before && /^\s*\n\s*$/.test(between) && between.split('\n').length === 2)
      Object.assign(before, { text: `${before.text}\n${text}`, end });
    else texts.push({ kind: 'comment', text, first: lineAt(file, pos) + skipped, end });
  }
  return texts.map(({ kind, text, first }) => ({ kind, text, first }));
}

const isErrorClass = (node: ts.Node): boolean =>
  ts.isClassLike(node) &&
  (node.heritageClauses ?? []).some((clause) => clause.types.some(({ expression }) => expression.getText().endsWith('Error')));

/** The class that a node is in; undefined outside of classes. */
const classOf = (node: ts.Node): ts.Node | undefined => ts.findAncestor(node, (each) => ts.isClassLike(each));

/** The kind of text that a call takes as its arguments; undefined for calls that print nothing. */
function kindOfCall(call: ts.CallExpression | ts.NewExpression): Prose['kind'] | undefined {
  const { expression, parent } = call;
  if (ts.isThrowStatement(parent)) return 'error';
  if (ts.isNewExpression(call)) return /(?:Error|Refusal)$|^Bad[A-Z]/.test(expression.getText()) ? 'error' : undefined;
  if (expression.kind === ts.SyntaxKind.SuperKeyword) {
    const own = classOf(call);
    return own && isErrorClass(own) ? 'error' : undefined;
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
function namesTest({ expression }: ts.CallExpression): boolean {
  if (ts.isIdentifier(expression)) return testFunctions.has(expression.text);
  if (ts.isPropertyAccessExpression(expression))
    return testFunctions.has(expression.expression.getText()) && !tableMethods.has(expression.name.text);
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  const table = expression.expression;
  return tableMethods.has(table.name.text) && testFunctions.has(table.expression.getText().split('.')[0] ?? '');
}

function textsIn(file: ts.SourceFile): Prose[] {
  const found: Prose[] = [];
  const visit = (node: ts.Node, kind: Prose['kind'] | undefined): void => {
    if (kind && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))) {
      const text = ts.isStringLiteralLike(node) ? node.text : node.getText(file).slice(1, -1);
      // A single word is a code or a name.
      if (/\s/.test(text.trim()))
        found.push({ kind, text: text.replaceAll(/\$\{[^{}]*\}/g, '`…`'), first: lineAt(file, node.getStart(file)) });
    }
    ts.forEachChild(node, (child) => visit(child, kindOfChild(node, child, kind)));
  };
  visit(file, undefined);
  return found;
}

function kindOfChild(node: ts.Node, child: ts.Node, kind: Prose['kind'] | undefined): Prose['kind'] | undefined {
  // The body of a test or of a callback is code of its own.
  if (ts.isFunctionLike(child)) return undefined;
  if (ts.isPropertyAssignment(node)) {
    const isError = node.initializer === child && errorProperties.has(node.name.getText().replaceAll(/['"]/g, ''));
    return isError && ts.isStringLiteralLike(child) ? 'error' : kind;
  }
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return kind;
  const at = node.arguments?.indexOf(child as ts.Expression) ?? -1;
  if (at === -1) return undefined;
  if (ts.isCallExpression(node) && namesTest(node)) return at === 0 ? 'test name' : undefined;
  return kindOfCall(node);
}

/** Addresses of links name files as they are, and are no prose. */
const withoutAddresses = (line: string): string => line.replaceAll(/\]\([^)\s]*\)/g, ']');

/** The paragraphs, list items and table cells of a page of docs, without its code. */
function paragraphsIn(text: string): Prose[] {
  const found: Prose[] = [];
  let isCode = false;
  let paragraph: Prose | undefined;
  for (const [at, line] of text.split('\n').map(withoutAddresses).entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const isText = !isCode && !/^\s*```|^ {4}/.test(line) && line.trim() !== '';
    const isTable = line.startsWith('|');
    if (!isText || isTable || /^\s*(?:[#>*-]|\d+\.)\s/.test(line)) paragraph = undefined;
    if (!isText) continue;
    if (isTable) {
      const cells = line.replaceAll(/`[^`]*`/g, (code) => code.replaceAll('|', '/')).split('|');
      for (const cell of cells) if (cell.trim() !== '') found.push({ kind: 'docs', text: cell.trim(), first: at + 1 });
    } else if (paragraph) paragraph.text += `\n${line.trim()}`;
    else {
      paragraph = { kind: 'docs', text: line.replace(/^\s*(?:[#>*-]+|\d+\.)\s+/, '').trim(), first: at + 1 };
      found.push(paragraph);
    }
  }
  return found;
}

/**
 * All texts of a file that people read; empty for a file that is neither a program nor a page of
 * docs.
 */
export function proseIn(path: string, text: string): Prose[] {
  if (path.endsWith('.md')) return paragraphsIn(text);
  if (!/\.[cm]?[jt]sx?$/.test(path)) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return [...commentsIn(file), ...textsIn(file)];
}
