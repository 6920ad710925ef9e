import ts from 'typescript';
import { mutateCode } from './change-code.ts';
import { mutateConfig } from './change-config.ts';
import { getMachineFile, type Mutant } from './mutant.ts';
import type { Add, MutationVisitor } from './mutation-visitor.ts';

/** Whether a property is a transition's target: `target`, or the value of an event's key. */
const isTarget = (node: ts.PropertyAssignment, tree: ts.SourceFile): boolean => {
  const owner = node.parent.parent;
  const isEventKey = ts.isPropertyAssignment(owner) && owner.name.getText(tree) === 'on';
  return isEventKey || ['target', 'onDone', 'onError'].includes(node.name.getText(tree));
};

/**
 * The names in all `states` of a file. For a file with parts of machines and no `states`, the
 * targets of its transitions.
 */
const readStateLists = (tree: ts.SourceFile): string[][] => {
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

/** Whether a name is a machine, or its setup in a file like `payment-setup.ts`. */
const isMachinePart = (file: string, name: string): boolean =>
  name.endsWith('Machine') || (getMachineFile(file) !== file && name.endsWith('Setup'));

/**
 * All mutants of a file of machines, with one change each. Types, imports and ports are not
 * mutated.
 */
export const findMutants = (file: string, source: string): Mutant[] => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const mutantsByKey = new Map<string, Mutant>();
  const changes = new Set<string>();
  const add: Add = ({ start, end, text, kind, path, description }) => {
    const change = JSON.stringify([start, end, text]);
    if (source.slice(start, end) === text || changes.has(change)) return;
    changes.add(change);
    const line = tree.getLineAndCharacterOfPosition(start).line + 1;
    const name = `${file} ${path}: ${description}`;
    // Numbers mutants with equal descriptions at the same path.
    let key = name;
    for (let count = 2; mutantsByKey.has(key); count += 1) key = `${name} (${count})`;
    mutantsByKey.set(key, { key, file, line, kind, start, end, text });
  };
  const visitor: MutationVisitor = { tree, add, stateLists: readStateLists(tree) };
  for (const statement of tree.statements) {
    if (ts.isFunctionDeclaration(statement)) mutateCode(visitor, statement, statement.name?.text ?? '', 'functions');
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const text = name.getText(tree);
      if (initializer) mutateConfig(visitor, initializer, isMachinePart(file, text) ? '' : text);
    }
  }
  return [...mutantsByKey.values()];
};
