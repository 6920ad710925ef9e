import ts from 'typescript';
import { codeChanges, findObject, getOtherValue, getRange, valueChanges } from './change-code.ts';
import { negateGuard, type Kind } from './mutant.ts';
import type { MutationVisitor } from './mutation-visitor.ts';

/** Keys that only the compiler reads, or that name ports. */
const skippedKeys = new Set(['types', 'actors', 'id', 'src']);
/**
 * Whether a key holds transitions by event: `on`, `after`, and parts of an `on` such as `onNews`.
 */
const isByEvent = (key: string): boolean => /^(?:on(?:[A-Z].*)?|after)$/.test(key) && !/^on(?:Done|Error)$/.test(key);

/** Whether an object is a `setup`'s map of actions by name, not one action with its `type`. */
const isActionMap = ({ properties }: ts.ObjectLiteralExpression): boolean =>
  properties.every(({ name }) => name?.getText() !== 'type');

/** Matches a function that returns a part of a definition. */
const configPattern = /\b(?:target|actions|on|guards?|invoke|states):|(?<![.\w])(?:assign|sendParent|sendTo)[<(]/;

/** The returned expression of a function, and the statements before it. */
const getReturned = ({ body }: ts.ArrowFunction): { returned: ts.Expression | undefined; before: readonly ts.Statement[] } => {
  if (!ts.isBlock(body)) return { returned: body, before: [] };
  const last = body.statements.at(-1);
  return { returned: last && ts.isReturnStatement(last) ? last.expression : undefined, before: body.statements.slice(0, -1) };
};

/** Keys with computed values, and their kinds. */
const kindByKey: Readonly<Record<string, Kind>> = {
  context: 'assignments',
  input: 'inputs',
  params: 'inputs',
  output: 'outputs',
};
const sendActionPattern = /^(enqueue\.)?(sendTo|sendParent|raise)$/;

const joinPlace = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

/** Replaces the last name of a target by that of a sibling state; null if there is no sibling. */
const findSibling = (target: string, lists: readonly (readonly string[])[]): string | null => {
  const before = target.slice(0, target.lastIndexOf('.') + 1);
  const name = target.slice(before.length);
  const list = lists.find((names) => names.includes(name) && names.length > 1);
  if (!list) return null;
  return `${before}${list[(list.indexOf(name) + 1) % list.length] ?? ''}`;
};

/** Mutates a machine's definition, its `setup()`, and the other definitions of its file. */
export const configChanges = (walk: MutationVisitor, root: ts.Expression, name: string): void => {
  const { tree, add } = walk;
  const textOf = (node: ts.Node): string => node.getText(tree);
  const nameOf = (node: ts.Node): string => {
    if (ts.isStringLiteral(node)) return node.text;
    const type = findObject(node as ts.Expression)?.properties.find((part) => part.name?.getText(tree) === 'type');
    return (type && ts.isPropertyAssignment(type) ? textOf(type.initializer) : textOf(node)).replaceAll("'", '').slice(0, 40);
  };
  const replace = (node: ts.Node, text: string, kind: Kind, place: string, what: string): void =>
    add({ start: node.getStart(tree), end: node.end, text, kind, place, what });
  const leaveOut = (list: ts.NodeArray<ts.Node>, at: number, kind: Kind, place: string, what: string): void =>
    add({ ...getRange(tree, list, at), text: '', kind, place, what: `${what} is left out` });
  const swapEach = ({ elements }: ts.ArrayLiteralExpression, place: string, kind: Kind): void => {
    for (const [at, element] of elements.entries()) {
      const next = elements[at + 1];
      if (!next) return;
      const between = tree.text.slice(element.end, next.getStart(tree));
      const text = `${textOf(next)}${between}${textOf(element)}`;
      add({ start: element.getStart(tree), end: next.end, text, kind, place: `${place}[${at}]`, what: 'comes after the next' });
    }
  };

  /** `scopes` are the names of the enclosing states, innermost first. */
  type Scopes = readonly (readonly string[])[];
  const target = (node: ts.Node, place: string, scopes: Scopes): void => {
    if (!ts.isStringLiteral(node)) return;
    const other = findSibling(node.text, [...scopes, ...walk.stateLists]);
    if (other !== null) replace(node, `'${other}'`, 'targets', place, `leads to ${other} instead of ${node.text}`);
  };

  /** Mutates a transition: an object, a list of alternatives, or just a target's name. */
  const transition = (node: ts.Expression, place: string, scopes: Scopes): void => {
    if (ts.isAsExpression(node)) return transition(node.expression, place, scopes);
    if (ts.isStringLiteral(node)) return target(node, place, scopes);
    if (!ts.isArrayLiteralExpression(node)) return visit(node, place, scopes);
    swapEach(node, place, 'order');
    for (const [at, alternative] of node.elements.entries()) {
      leaveOut(node.elements, at, 'transitions', `${place}[${at}]`, 'the alternative');
      transition(alternative, `${place}[${at}]`, scopes);
    }
  };

  const named = (node: ts.Expression, place: string, scopes: Scopes): void => {
    if (ts.isCallExpression(node)) for (const each of node.arguments) transition(each, place, scopes);
  };

  const actions = (
    part: ts.PropertyAssignment,
    siblings: ts.NodeArray<ts.Node>,
    at: number,
    place: string,
    scopes: Scopes,
  ): void => {
    const { initializer } = part;
    if (!ts.isArrayLiteralExpression(initializer)) {
      leaveOut(siblings, at, 'actions', place, nameOf(initializer));
      return visit(initializer, place, scopes);
    }
    swapEach(initializer, place, 'order');
    for (const [index, action] of initializer.elements.entries()) {
      leaveOut(initializer.elements, index, 'actions', `${place}[${index}]`, nameOf(action));
      visit(action, `${place}[${index}]`, scopes);
    }
  };

  const invokes = (
    part: ts.PropertyAssignment,
    siblings: ts.NodeArray<ts.Node>,
    at: number,
    place: string,
    scopes: Scopes,
  ): void => {
    const { initializer } = part;
    const list = ts.isArrayLiteralExpression(initializer) ? initializer.elements : null;
    if (!list) leaveOut(siblings, at, 'invokes', place, 'the invoke');
    for (const [index, each] of (list ?? [initializer]).entries()) {
      if (list) leaveOut(list, index, 'invokes', `${place}[${index}]`, 'the invoke');
      visit(each, list ? `${place}[${index}]` : place, scopes);
    }
  };

  const worksOut = (node: ts.Expression, place: string, kind: Kind): void => {
    const object = findObject(node);
    if (object) valueChanges(walk, object, place, kind);
    else if (!ts.isFunctionLike(node) && !ts.isIdentifier(node))
      replace(node, getOtherValue(node), kind, place, `is ${getOtherValue(node)}`);
    codeChanges(walk, node, place, kind);
  };

  const guardChanges = (node: ts.Expression, place: string): void => {
    if (!ts.isArrowFunction(node)) return;
    replace(node, '() => true', 'guards', place, 'is always true');
    replace(node, '() => false', 'guards', place, 'is never true');
    codeChanges(walk, node, place, 'guards');
  };

  const delayChanges = (node: ts.Expression, place: string): void => {
    if (ts.isNumericLiteral(node)) replace(node, getOtherValue(node), 'delays', place, `is ${getOtherValue(node)}`);
    else codeChanges(walk, node, place, 'delays');
  };

  const property = (
    part: ts.PropertyAssignment,
    siblings: ts.NodeArray<ts.Node>,
    at: number,
    around: string,
    scopes: Scopes,
  ): void => {
    const key = ts.isStringLiteral(part.name) ? part.name.text : textOf(part.name);
    const place = joinPlace(around, key);
    const { initializer } = part;
    const object = ts.isFunctionLike(initializer) ? null : findObject(initializer);
    if (skippedKeys.has(key)) return;
    if (key === 'meta' || key === 'tags') return leaveOut(siblings, at, key, place, key);
    if (key === 'target' || key === 'initial') {
      if (key === 'target') leaveOut(siblings, at, 'targets', place, 'the target');
      return target(initializer, place, scopes);
    }
    if (key === 'reenter') return leaveOut(siblings, at, 'targets', place, key);
    if (key === 'type' && textOf(initializer) === "'final'") return leaveOut(siblings, at, 'outputs', place, 'final');
    if (key === 'guard') {
      leaveOut(siblings, at, 'guards', place, nameOf(initializer));
      replace(initializer, negateGuard(textOf(initializer)), 'guards', place, `${nameOf(initializer)} is negated`);
      return visit(initializer, place, scopes);
    }
    if (['onDone', 'onError', 'always'].includes(key)) {
      leaveOut(siblings, at, 'transitions', place, 'the transition');
      return transition(initializer, place, scopes);
    }
    if (key === 'on' && ts.isCallExpression(initializer)) return named(initializer, place, scopes);
    if (isByEvent(key) && object) {
      for (const [index, each] of object.properties.entries()) {
        const event = (each.name ?? each).getText(tree).replaceAll("'", '');
        leaveOut(object.properties, index, 'transitions', joinPlace(place, event), 'the transition');
        if (ts.isPropertyAssignment(each)) transition(each.initializer, joinPlace(place, event), scopes);
        // A function that returns transitions receives the name of their target as an argument.
        if (ts.isSpreadAssignment(each)) named(each.expression, joinPlace(place, event), scopes);
      }
      return;
    }
    if (key === 'states' && object) {
      const names = object.properties.map((each) => each.name?.getText(tree) ?? '');
      return object.properties.forEach((each) => {
        if (ts.isPropertyAssignment(each)) visit(each.initializer, joinPlace(place, textOf(each.name)), [names, ...scopes]);
      });
    }
    if (['actions', 'entry', 'exit'].includes(key) && !(key === 'actions' && object && isActionMap(object))) {
      return actions(part, siblings, at, place, scopes);
    }
    if (key === 'invoke') return invokes(part, siblings, at, place, scopes);
    if (kindByKey[key]) return worksOut(initializer, place, kindByKey[key]);
    if (key === 'guards' && object) return eachOf(object, place, guardChanges);
    if (key === 'delays' && object) return eachOf(object, place, delayChanges);
    visit(initializer, place, scopes);
  };

  const eachOf = (
    object: ts.ObjectLiteralExpression,
    place: string,
    change: (node: ts.Expression, place: string) => void,
  ): void => {
    for (const part of object.properties) {
      if (ts.isPropertyAssignment(part)) change(part.initializer, joinPlace(place, textOf(part.name)));
    }
  };

  const assignment = (node: ts.Expression, call: ts.Expression, place: string): void => {
    const object = findObject(node);
    if (!object) {
      replace(call, 'assign({})', 'assignments', place, 'assigns nothing');
      return codeChanges(walk, node, place, 'assignments');
    }
    valueChanges(walk, object, place, 'assignments');
    const values = object.properties.filter(ts.isPropertyAssignment);
    for (const [at, { name: key, initializer }] of values.entries()) {
      const next = values[(at + 1) % values.length];
      const inner = findObject(initializer);
      if (inner && inner !== initializer) valueChanges(walk, inner, joinPlace(place, textOf(key)), 'assignments');
      if (next && next.initializer !== initializer) {
        replace(initializer, textOf(next.initializer), 'assignments', place, `${textOf(key)} is what ${textOf(next.name)} is`);
      }
      codeChanges(walk, initializer, joinPlace(place, textOf(key)), 'assignments');
    }
  };

  const sent = (args: readonly ts.Expression[], place: string): void => {
    for (const each of args) {
      const object = findObject(each);
      if (object) valueChanges(walk, object, place, 'events');
      else if (ts.isArrowFunction(each)) replace(each, "() => ({ type: 'changed' })", 'events', place, 'another event is sent');
      codeChanges(walk, each, place, 'events');
    }
  };

  /**
   * Mutates the function passed to `enqueueActions`: omits each action, and mutates the actions
   * like others.
   */
  const enqueued = (body: ts.Node, place: string): void => {
    const visitStatement = (node: ts.Node): void => {
      if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression) && textOf(node).startsWith('enqueue')) {
        replace(node, '{}', 'actions', place, `${textOf(node).slice(0, 40)} is left out`);
        return visit(node.expression, place, []);
      }
      if (ts.isIfStatement(node)) {
        codeChanges(walk, node.expression, place, 'actions');
        for (const text of ['true', 'false'])
          replace(node.expression, text, 'actions', place, `if (${textOf(node.expression)}) is ${text}`);
        visitStatement(node.thenStatement);
        if (node.elseStatement) visitStatement(node.elseStatement);
      } else if (ts.isVariableStatement(node) || ts.isReturnStatement(node)) codeChanges(walk, node, place, 'functions');
      else ts.forEachChild(node, visitStatement);
    };
    visitStatement(body);
  };

  const call = (node: ts.CallExpression, place: string, scopes: Scopes): void => {
    const called = textOf(node.expression);
    const [first] = node.arguments;
    if (first && /^(enqueue\.)?assign$/.test(called)) return assignment(first, node, place);
    if (sendActionPattern.test(called)) return sent(node.arguments, place);
    if (first && called === 'enqueueActions' && ts.isArrowFunction(first)) return enqueued(first.body, place);
    ts.forEachChild(node, (child) => visit(child, place, scopes));
  };

  const visit = (node: ts.Node, place: string, scopes: Scopes): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isCallExpression(node)) return call(node, place, scopes);
    if (ts.isArrayLiteralExpression(node) && node.elements.some((each) => ts.isObjectLiteralExpression(each))) {
      return transition(node, place, scopes);
    }
    if (ts.isFunctionLike(node)) {
      const { returned, before } = ts.isArrowFunction(node) ? getReturned(node) : { returned: undefined, before: [] };
      if (!returned || !configPattern.test(textOf(returned))) return codeChanges(walk, node, place, 'functions');
      for (const statement of before) codeChanges(walk, statement, place, 'functions');
      return visit(returned, place, scopes);
    }
    if (!ts.isObjectLiteralExpression(node)) return ts.forEachChild(node, (child) => visit(child, place, scopes));
    for (const [at, part] of node.properties.entries()) {
      if (ts.isPropertyAssignment(part)) property(part, node.properties, at, place, scopes);
    }
  };
  visit(root, name, []);
};
