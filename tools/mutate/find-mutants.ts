import ts from 'typescript';
import { codeChanges } from './change-code.ts';
import { configChanges } from './change-config.ts';
import { machineFileOf, type Mutant } from './mutant.ts';
import type { Add, Walk } from './walk.ts';

/** Whether a property names a transition's target: by `target`, or as the answer to an event. */
const isTarget = (node: ts.PropertyAssignment, tree: ts.SourceFile): boolean => {
  const around = node.parent.parent;
  const isAnswer = ts.isPropertyAssignment(around) && around.name.getText(tree) === 'on';
  return isAnswer || ['target', 'onDone', 'onError'].includes(node.name.getText(tree));
};

/**
 * The names of all `states` of a file. A file that holds parts of machines may have none: there,
 * the states that its transitions lead to.
 */
const statesIn = (tree: ts.SourceFile): string[][] => {
  const lists: string[][] = [];
  const targets = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node)) {
      const { initializer } = node;
      if (node.name.getText(tree) === 'states' && ts.isObjectLiteralExpression(initializer)) {
        lists.push(initializer.properties.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : [])));
      }
      if (ts.isStringLiteral(initializer) && isTarget(node, tree)) targets.add(initializer.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return lists.length > 0 ? lists : [[...targets]];
};

/** Whether a name is a machine, or the setup that a file like `payment-setup.ts` has for one. */
const isMachinePart = (file: string, name: string): boolean =>
  name.endsWith('Machine') || (machineFileOf(file) !== file && name.endsWith('Setup'));

/** Every change of a file of machines, each on its own. Types, imports and ports are left as they are. */
export const mutantsIn = (file: string, source: string): Mutant[] => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found = new Map<string, Mutant>();
  const changes = new Set<string>();
  const add: Add = ({ start, end, text, kind, place, what }) => {
    const change = JSON.stringify([start, end, text]);
    if (source.slice(start, end) === text || changes.has(change)) return;
    changes.add(change);
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    const name = `${file} ${place}: ${what}`;
    // The same words at the same place are counted.
    let key = name;
    for (let count = 2; found.has(key); count += 1) key = `${name} (${count})`;
    found.set(key, { key, file, line, kind, start, end, text });
  };
  const walk: Walk = { tree, add, stateLists: statesIn(tree) };
  for (const statement of tree.statements) {
    if (ts.isFunctionDeclaration(statement)) codeChanges(walk, statement, statement.name?.text ?? '', 'functions');
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const text = name.getText(tree);
      if (initializer) configChanges(walk, initializer, isMachinePart(file, text) ? '' : text);
    }
  }
  return [...found.values()];
};
