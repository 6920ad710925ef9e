import ts from 'typescript';
import type { Kind } from './mutant.ts';
import type { MutationVisitor } from './mutation-visitor.ts';

const { SyntaxKind } = ts;

/** Operators with their mutations. */
const operators: Readonly<Partial<Record<ts.SyntaxKind, readonly string[]>>> = {
  [SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
  [SyntaxKind.LessThanToken]: ['<=', '>'],
  [SyntaxKind.LessThanEqualsToken]: ['<', '>'],
  [SyntaxKind.GreaterThanToken]: ['>=', '<'],
  [SyntaxKind.GreaterThanEqualsToken]: ['>', '<'],
  [SyntaxKind.PlusToken]: ['-'],
  [SyntaxKind.MinusToken]: ['+'],
  [SyntaxKind.AsteriskToken]: ['/'],
  [SyntaxKind.SlashToken]: ['*'],
  [SyntaxKind.AsteriskAsteriskToken]: ['*'],
  [SyntaxKind.PercentToken]: ['*'],
};

const isLogical = ({ kind }: ts.Node): boolean => kind === SyntaxKind.AmpersandAmpersandToken || kind === SyntaxKind.BarBarToken;

/** A default after `??` that only satisfies the types: the value is never missing. */
const isBareDefault = (node: ts.Node): boolean => /^(''|null|\[\]|0|false)$/.test(node.getText());

/** A value that differs from the expression's. */
export const getOtherValue = (node: ts.Expression): string => {
  if (ts.isArrowFunction(node)) return '() => null';
  if (node.kind === SyntaxKind.TrueKeyword) return 'false';
  if (node.kind === SyntaxKind.FalseKeyword) return 'true';
  if (ts.isNumericLiteral(node)) return `${Number(node.text) * 10 + 1}`;
  return ts.isStringLiteral(node) || node.kind === SyntaxKind.NullKeyword ? "'changed'" : 'null';
};

/** The object literal that an expression is, or that a function returns. */
export const findObject = (node: ts.Expression): ts.ObjectLiteralExpression | null => {
  if (ts.isObjectLiteralExpression(node)) return node;
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return findObject(node.expression);
  return ts.isArrowFunction(node) && !ts.isBlock(node.body) ? findObject(node.body) : null;
};

const shorten = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 60);

/** The range of a list's element, including the comma after it. */
export const getRange = (tree: ts.SourceFile, list: ts.NodeArray<ts.Node>, at: number): { start: number; end: number } => {
  const start = list[at]?.getStart(tree) ?? list.pos;
  return { start, end: list[at + 1]?.getStart(tree) ?? list.end };
};

/** Mutates an object: omits each key, and changes each value. */
export const valueChanges = (
  { tree, add }: MutationVisitor,
  object: ts.ObjectLiteralExpression,
  place: string,
  kind: Kind,
): void => {
  for (const [at, part] of object.properties.entries()) {
    const key = part.name?.getText(tree) ?? shorten(part.getText(tree));
    add({ ...getRange(tree, object.properties, at), text: '', kind, place, what: `${key} is left out` });
    const value = ts.isPropertyAssignment(part) ? part.initializer : ts.isShorthandPropertyAssignment(part) ? part.name : null;
    if (value === null) continue;
    const text = ts.isShorthandPropertyAssignment(part) ? `${key}: null` : getOtherValue(value);
    const what = `${key} is ${text.replace('() => ', '').replace(`${key}: `, '')}`;
    add({ start: value.getStart(tree), end: value.end, text, kind, place, what });
  }
};

/** Mutates the body of a function; `kind` is the purpose of the function. */
export const codeChanges = (walk: MutationVisitor, root: ts.Node, place: string, kind: Kind): void => {
  const { tree, add } = walk;
  const textOf = (node: ts.Node): string => node.getText(tree);
  const replace = (node: ts.Node, text: string, what = `${shorten(textOf(node))} is ${shorten(text)}`): void =>
    add({ start: node.getStart(tree), end: node.end, text, kind, place, what });

  const binary = ({ left, operatorToken, right }: ts.BinaryExpression, whole: ts.Node): void => {
    for (const other of operators[operatorToken.kind] ?? []) {
      const what = `${shorten(textOf(whole))} has ${other}`;
      add({ start: operatorToken.getStart(tree), end: operatorToken.end, text: other, kind, place, what });
    }
    const isDefault = operatorToken.kind === SyntaxKind.QuestionQuestionToken;
    if (isLogical(operatorToken) || isDefault) replace(whole, textOf(right));
    if (isLogical(operatorToken) || (isDefault && !isBareDefault(right))) replace(whole, textOf(left));
  };

  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isThrowStatement(node) || ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) binary(node, node);
    if (ts.isConditionalExpression(node)) {
      for (const branch of [node.whenTrue, node.whenFalse]) {
        const text = textOf(branch);
        replace(node, text.startsWith('{') ? `(${text})` : text);
      }
    }
    if (ts.isIfStatement(node)) {
      replace(node.expression, 'true', `if (${shorten(textOf(node.expression))}) is true`);
      replace(node.expression, 'false', `if (${shorten(textOf(node.expression))}) is false`);
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) replace(node, textOf(node.operand));
    if (ts.isNumericLiteral(node)) replace(node, `${Number(node.text) + 1}`);
    if (node.kind === SyntaxKind.TrueKeyword) replace(node, 'false');
    if (node.kind === SyntaxKind.FalseKeyword) replace(node, 'true');
    const isKey = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
    const isDefault = ts.isBinaryExpression(node.parent) && node.parent.right === node && isBareDefault(node);
    if (ts.isStringLiteral(node) && !isKey && !isDefault) replace(node, "'changed'");
    if (ts.isSpreadAssignment(node) || ts.isSpreadElement(node)) {
      const { parent } = node;
      const list = ts.isCallExpression(parent) ? parent.arguments : ts.isArrayLiteralExpression(parent) ? parent.elements : null;
      const siblings: ts.NodeArray<ts.Node> = list ?? (parent as ts.ObjectLiteralExpression).properties;
      const range = getRange(tree, siblings, (siblings as readonly ts.Node[]).indexOf(node));
      add({ ...range, text: '', kind, place, what: `${shorten(textOf(node))} is left out` });
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
};
