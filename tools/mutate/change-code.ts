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
export const getRange = (tree: ts.SourceFile, list: ts.NodeArray<ts.Node>, index: number): { start: number; end: number } => {
  const start = list[index]?.getStart(tree) ?? list.pos;
  return { start, end: list[index + 1]?.getStart(tree) ?? list.end };
};

/** Mutates an object: omits each key, and changes each value. */
export const mutateObject = (
  { tree, add }: MutationVisitor,
  object: ts.ObjectLiteralExpression,
  path: string,
  kind: Kind,
): void => {
  for (const [index, property] of object.properties.entries()) {
    const key = property.name?.getText(tree) ?? shorten(property.getText(tree));
    add({ ...getRange(tree, object.properties, index), text: '', kind, path, description: `${key} is left out` });
    const value = ts.isPropertyAssignment(property)
      ? property.initializer
      : ts.isShorthandPropertyAssignment(property)
        ? property.name
        : null;
    if (value === null) continue;
    const text = ts.isShorthandPropertyAssignment(property) ? `${key}: null` : getOtherValue(value);
    const description = `${key} is ${text.replace('() => ', '').replace(`${key}: `, '')}`;
    add({ start: value.getStart(tree), end: value.end, text, kind, path, description });
  }
};

/** Mutates the body of a function; `kind` is the purpose of the function. */
export const mutateCode = (visitor: MutationVisitor, root: ts.Node, path: string, kind: Kind): void => {
  const { tree, add } = visitor;
  const getText = (node: ts.Node): string => node.getText(tree);
  const replace = (node: ts.Node, text: string, description = `${shorten(getText(node))} is ${shorten(text)}`): void =>
    add({ start: node.getStart(tree), end: node.end, text, kind, path, description });

  const mutateBinary = ({ left, operatorToken, right }: ts.BinaryExpression, expression: ts.Node): void => {
    for (const operator of operators[operatorToken.kind] ?? []) {
      const description = `${shorten(getText(expression))} has ${operator}`;
      add({ start: operatorToken.getStart(tree), end: operatorToken.end, text: operator, kind, path, description });
    }
    const isDefault = operatorToken.kind === SyntaxKind.QuestionQuestionToken;
    if (isLogical(operatorToken) || isDefault) replace(expression, getText(right));
    if (isLogical(operatorToken) || (isDefault && !isBareDefault(right))) replace(expression, getText(left));
  };

  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isThrowStatement(node) || ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) mutateBinary(node, node);
    if (ts.isConditionalExpression(node)) {
      for (const branch of [node.whenTrue, node.whenFalse]) {
        const text = getText(branch);
        replace(node, text.startsWith('{') ? `(${text})` : text);
      }
    }
    if (ts.isIfStatement(node)) {
      replace(node.expression, 'true', `if (${shorten(getText(node.expression))}) is true`);
      replace(node.expression, 'false', `if (${shorten(getText(node.expression))}) is false`);
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) replace(node, getText(node.operand));
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
      add({ ...range, text: '', kind, path, description: `${shorten(getText(node))} is left out` });
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
};
