import ts from 'typescript';
import { mutateCode, findObject, getOtherValue, getRange, mutateObject } from './change-code.ts';
import { negateGuard, type Kind } from './mutant.ts';
import type { MutationVisitor } from './mutation-visitor.ts';

/** Keys that only the compiler reads, or that name ports. */
const skippedKeys = new Set(['types', 'actors', 'id', 'src']);
/**
 * Whether a key holds transitions by event: `on`, `after`, and parts of an `on`, such as
 * `onSignal`.
 */
const isByEvent = (key: string): boolean => /^(?:on(?:[A-Z].*)?|after)$/.test(key) && !/^on(?:Done|Error)$/.test(key);

/** Whether an object is a `setup`'s map of actions by name, not one action with its `type`. */
const isActionMap = ({ properties }: ts.ObjectLiteralExpression): boolean =>
  properties.every(({ name }) => name?.getText() !== 'type');

/** Matches a function that returns a part of a definition. */
const configPattern = /\b(?:target|actions|on|guards?|invoke|states):|(?<![.\w])(?:assign|sendParent|sendTo)[<(]/;

/** The returned expression of a function, and the statements before it. */
const splitFunction = ({
  body,
}: ts.ArrowFunction): { result: ts.Expression | undefined; statements: readonly ts.Statement[] } => {
  if (!ts.isBlock(body)) return { result: body, statements: [] };
  const lastStatement = body.statements.at(-1);
  return {
    result: lastStatement && ts.isReturnStatement(lastStatement) ? lastStatement.expression : undefined,
    statements: body.statements.slice(0, -1),
  };
};

/** Keys with computed values, and their kinds. */
const kindByKey: Readonly<Record<string, Kind>> = {
  context: 'assignments',
  input: 'inputs',
  params: 'inputs',
  output: 'outputs',
};
const sendActionPattern = /^(enqueue\.)?(sendTo|sendParent|raise)$/;

const joinPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Replaces the last name of a target by that of a sibling state; null if there is no sibling. */
const findSibling = (target: string, lists: readonly (readonly string[])[]): string | null => {
  const prefix = target.slice(0, target.lastIndexOf('.') + 1);
  const name = target.slice(prefix.length);
  const list = lists.find((names) => names.includes(name) && names.length > 1);
  if (!list) return null;
  return `${prefix}${list[(list.indexOf(name) + 1) % list.length] ?? ''}`;
};

/** Mutates a machine's definition, its `setup()`, and the other definitions of its file. */
export const mutateConfig = (visitor: MutationVisitor, root: ts.Expression, name: string): void => {
  const { tree, add } = visitor;
  const getText = (node: ts.Node): string => node.getText(tree);
  const getName = (node: ts.Node): string => {
    if (ts.isStringLiteral(node)) return node.text;
    const type = findObject(node as ts.Expression)?.properties.find((part) => part.name?.getText(tree) === 'type');
    return (type && ts.isPropertyAssignment(type) ? getText(type.initializer) : getText(node)).replaceAll("'", '').slice(0, 40);
  };
  const replace = (node: ts.Node, text: string, kind: Kind, path: string, description: string): void =>
    add({ start: node.getStart(tree), end: node.end, text, kind, path, description });
  const omitElement = (list: ts.NodeArray<ts.Node>, index: number, kind: Kind, path: string, label: string): void =>
    add({ ...getRange(tree, list, index), text: '', kind, path, description: `${label} is left out` });
  const swapNeighbours = ({ elements }: ts.ArrayLiteralExpression, path: string, kind: Kind): void => {
    for (const [at, element] of elements.entries()) {
      const next = elements[at + 1];
      if (!next) return;
      const separator = tree.text.slice(element.end, next.getStart(tree));
      const text = `${getText(next)}${separator}${getText(element)}`;
      add({
        start: element.getStart(tree),
        end: next.end,
        text,
        kind,
        path: `${path}[${at}]`,
        description: 'comes after the next',
      });
    }
  };

  /** `scopes` are the names of the enclosing states, innermost first. */
  type Scopes = readonly (readonly string[])[];
  const mutateTarget = (node: ts.Node, path: string, scopes: Scopes): void => {
    if (!ts.isStringLiteral(node)) return;
    const sibling = findSibling(node.text, [...scopes, ...visitor.stateLists]);
    if (sibling !== null) replace(node, `'${sibling}'`, 'targets', path, `leads to ${sibling} instead of ${node.text}`);
  };

  /** Mutates a transition: an object, a list of alternatives, or just a target's name. */
  const mutateTransition = (node: ts.Expression, path: string, scopes: Scopes): void => {
    if (ts.isAsExpression(node)) return mutateTransition(node.expression, path, scopes);
    if (ts.isStringLiteral(node)) return mutateTarget(node, path, scopes);
    if (!ts.isArrayLiteralExpression(node)) return visit(node, path, scopes);
    swapNeighbours(node, path, 'order');
    for (const [at, alternative] of node.elements.entries()) {
      omitElement(node.elements, at, 'transitions', `${path}[${at}]`, 'the alternative');
      mutateTransition(alternative, `${path}[${at}]`, scopes);
    }
  };

  const mutateArguments = (node: ts.Expression, path: string, scopes: Scopes): void => {
    if (ts.isCallExpression(node)) for (const each of node.arguments) mutateTransition(each, path, scopes);
  };

  const mutateActions = (
    part: ts.PropertyAssignment,
    siblings: ts.NodeArray<ts.Node>,
    at: number,
    path: string,
    scopes: Scopes,
  ): void => {
    const { initializer } = part;
    if (!ts.isArrayLiteralExpression(initializer)) {
      omitElement(siblings, at, 'actions', path, getName(initializer));
      return visit(initializer, path, scopes);
    }
    swapNeighbours(initializer, path, 'order');
    for (const [index, action] of initializer.elements.entries()) {
      omitElement(initializer.elements, index, 'actions', `${path}[${index}]`, getName(action));
      visit(action, `${path}[${index}]`, scopes);
    }
  };

  const mutateInvokes = (
    part: ts.PropertyAssignment,
    siblings: ts.NodeArray<ts.Node>,
    at: number,
    path: string,
    scopes: Scopes,
  ): void => {
    const { initializer } = part;
    const list = ts.isArrayLiteralExpression(initializer) ? initializer.elements : null;
    if (!list) omitElement(siblings, at, 'invokes', path, 'the invoke');
    for (const [index, each] of (list ?? [initializer]).entries()) {
      if (list) omitElement(list, index, 'invokes', `${path}[${index}]`, 'the invoke');
      visit(each, list ? `${path}[${index}]` : path, scopes);
    }
  };

  const mutateValue = (node: ts.Expression, path: string, kind: Kind): void => {
    const object = findObject(node);
    if (object) mutateObject(visitor, object, path, kind);
    else if (!ts.isFunctionLike(node) && !ts.isIdentifier(node))
      replace(node, getOtherValue(node), kind, path, `is ${getOtherValue(node)}`);
    mutateCode(visitor, node, path, kind);
  };

  const mutateGuard = (node: ts.Expression, path: string): void => {
    if (!ts.isArrowFunction(node)) return;
    replace(node, '() => true', 'guards', path, 'is always true');
    replace(node, '() => false', 'guards', path, 'is never true');
    mutateCode(visitor, node, path, 'guards');
  };

  const mutateDelay = (node: ts.Expression, path: string): void => {
    if (ts.isNumericLiteral(node)) replace(node, getOtherValue(node), 'delays', path, `is ${getOtherValue(node)}`);
    else mutateCode(visitor, node, path, 'delays');
  };

  const mutateProperty = (
    part: ts.PropertyAssignment,
    siblings: ts.NodeArray<ts.Node>,
    at: number,
    parentPath: string,
    scopes: Scopes,
  ): void => {
    const key = ts.isStringLiteral(part.name) ? part.name.text : getText(part.name);
    const path = joinPath(parentPath, key);
    const { initializer } = part;
    const object = ts.isFunctionLike(initializer) ? null : findObject(initializer);
    if (skippedKeys.has(key)) return;
    if (key === 'meta' || key === 'tags') return omitElement(siblings, at, key, path, key);
    if (key === 'target' || key === 'initial') {
      if (key === 'target') omitElement(siblings, at, 'targets', path, 'the target');
      return mutateTarget(initializer, path, scopes);
    }
    if (key === 'reenter') return omitElement(siblings, at, 'targets', path, key);
    if (key === 'type' && getText(initializer) === "'final'") return omitElement(siblings, at, 'outputs', path, 'final');
    if (key === 'guard') {
      omitElement(siblings, at, 'guards', path, getName(initializer));
      replace(initializer, negateGuard(getText(initializer)), 'guards', path, `${getName(initializer)} is negated`);
      return visit(initializer, path, scopes);
    }
    if (['onDone', 'onError', 'always'].includes(key)) {
      omitElement(siblings, at, 'transitions', path, 'the transition');
      return mutateTransition(initializer, path, scopes);
    }
    if (key === 'on' && ts.isCallExpression(initializer)) return mutateArguments(initializer, path, scopes);
    if (isByEvent(key) && object) {
      for (const [index, each] of object.properties.entries()) {
        const event = (each.name ?? each).getText(tree).replaceAll("'", '');
        omitElement(object.properties, index, 'transitions', joinPath(path, event), 'the transition');
        if (ts.isPropertyAssignment(each)) mutateTransition(each.initializer, joinPath(path, event), scopes);
        // A function that returns transitions receives the name of their target as an argument.
        if (ts.isSpreadAssignment(each)) mutateArguments(each.expression, joinPath(path, event), scopes);
      }
      return;
    }
    if (key === 'states' && object) {
      const names = object.properties.map((each) => each.name?.getText(tree) ?? '');
      return object.properties.forEach((each) => {
        if (ts.isPropertyAssignment(each)) visit(each.initializer, joinPath(path, getText(each.name)), [names, ...scopes]);
      });
    }
    if (['actions', 'entry', 'exit'].includes(key) && !(key === 'actions' && object && isActionMap(object))) {
      return mutateActions(part, siblings, at, path, scopes);
    }
    if (key === 'invoke') return mutateInvokes(part, siblings, at, path, scopes);
    if (kindByKey[key]) return mutateValue(initializer, path, kindByKey[key]);
    if (key === 'guards' && object) return mutateEach(object, path, mutateGuard);
    if (key === 'delays' && object) return mutateEach(object, path, mutateDelay);
    visit(initializer, path, scopes);
  };

  const mutateEach = (
    object: ts.ObjectLiteralExpression,
    path: string,
    change: (node: ts.Expression, path: string) => void,
  ): void => {
    for (const part of object.properties) {
      if (ts.isPropertyAssignment(part)) change(part.initializer, joinPath(path, getText(part.name)));
    }
  };

  const mutateAssignment = (node: ts.Expression, call: ts.Expression, path: string): void => {
    const object = findObject(node);
    if (!object) {
      replace(call, 'assign({})', 'assignments', path, 'assigns nothing');
      return mutateCode(visitor, node, path, 'assignments');
    }
    mutateObject(visitor, object, path, 'assignments');
    const values = object.properties.filter(ts.isPropertyAssignment);
    for (const [at, { name: key, initializer }] of values.entries()) {
      const next = values[(at + 1) % values.length];
      const nestedObject = findObject(initializer);
      if (nestedObject && nestedObject !== initializer)
        mutateObject(visitor, nestedObject, joinPath(path, getText(key)), 'assignments');
      if (next && next.initializer !== initializer) {
        replace(initializer, getText(next.initializer), 'assignments', path, `${getText(key)} is what ${getText(next.name)} is`);
      }
      mutateCode(visitor, initializer, joinPath(path, getText(key)), 'assignments');
    }
  };

  const mutateSentEvents = (args: readonly ts.Expression[], path: string): void => {
    for (const each of args) {
      const object = findObject(each);
      if (object) mutateObject(visitor, object, path, 'events');
      else if (ts.isArrowFunction(each)) replace(each, "() => ({ type: 'changed' })", 'events', path, 'another event is sent');
      mutateCode(visitor, each, path, 'events');
    }
  };

  /**
   * Mutates the function passed to `enqueueActions`: omits each action, and mutates the actions
   * like others.
   */
  const mutateEnqueuedActions = (body: ts.Node, path: string): void => {
    const visitStatement = (node: ts.Node): void => {
      if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression) && getText(node).startsWith('enqueue')) {
        replace(node, '{}', 'actions', path, `${getText(node).slice(0, 40)} is left out`);
        return visit(node.expression, path, []);
      }
      if (ts.isIfStatement(node)) {
        mutateCode(visitor, node.expression, path, 'actions');
        for (const text of ['true', 'false'])
          replace(node.expression, text, 'actions', path, `if (${getText(node.expression)}) is ${text}`);
        visitStatement(node.thenStatement);
        if (node.elseStatement) visitStatement(node.elseStatement);
      } else if (ts.isVariableStatement(node) || ts.isReturnStatement(node)) mutateCode(visitor, node, path, 'functions');
      else ts.forEachChild(node, visitStatement);
    };
    visitStatement(body);
  };

  const visitCall = (node: ts.CallExpression, path: string, scopes: Scopes): void => {
    const calledName = getText(node.expression);
    const [firstArgument] = node.arguments;
    if (firstArgument && /^(enqueue\.)?assign$/.test(calledName)) return mutateAssignment(firstArgument, node, path);
    if (sendActionPattern.test(calledName)) return mutateSentEvents(node.arguments, path);
    if (firstArgument && calledName === 'enqueueActions' && ts.isArrowFunction(firstArgument))
      return mutateEnqueuedActions(firstArgument.body, path);
    ts.forEachChild(node, (child) => visit(child, path, scopes));
  };

  const visit = (node: ts.Node, path: string, scopes: Scopes): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isCallExpression(node)) return visitCall(node, path, scopes);
    if (ts.isArrayLiteralExpression(node) && node.elements.some((each) => ts.isObjectLiteralExpression(each))) {
      return mutateTransition(node, path, scopes);
    }
    if (ts.isFunctionLike(node)) {
      const { result, statements } = ts.isArrowFunction(node) ? splitFunction(node) : { result: undefined, statements: [] };
      if (!result || !configPattern.test(getText(result))) return mutateCode(visitor, node, path, 'functions');
      for (const statement of statements) mutateCode(visitor, statement, path, 'functions');
      return visit(result, path, scopes);
    }
    if (!ts.isObjectLiteralExpression(node)) return ts.forEachChild(node, (child) => visit(child, path, scopes));
    for (const [at, part] of node.properties.entries()) {
      if (ts.isPropertyAssignment(part)) mutateProperty(part, node.properties, at, path, scopes);
    }
  };
  visit(root, name, []);
};
