import { createTreeCollection } from '@chakra-ui/react/collection';
import {
  TreeViewBranchControl,
  TreeViewBranchTrigger,
  TreeViewItem,
  TreeViewLabel,
  TreeViewNodeProvider,
  TreeViewRoot,
  TreeViewTree,
  useTreeViewNodeContext,
} from '@chakra-ui/react/tree-view';
import { useMemo, type ReactElement } from 'react';
import { chakra, type Style } from '../chakra.ts';

/** An entry of a tree; its `value` is unique in the tree. */
export type TreeEntry = { value: string; name: string; children: readonly TreeEntry[] };

const rowStyle: Style = {
  display: 'flex',
  alignItems: 'center',
  minHeight: '44px',
  borderRadius: '10px',
  fontSize: '15px',
  lineHeight: 1.4,
  cursor: 'pointer',
  _hover: { background: 'color-mix(in srgb, currentColor 8%, transparent)' },
  _focusVisible: { outline: '2px solid currentColor', outlineOffset: '-2px' },
  '&[aria-current]': { background: 'color-mix(in srgb, currentColor 12%, transparent)', fontWeight: 650 },
};

const Leaf = chakra(TreeViewItem, { base: rowStyle });
const Branch = chakra(TreeViewBranchControl, { base: rowStyle });

const Name = chakra('span', { base: { flex: '1', minWidth: 0, padding: '10px 12px', overflowWrap: 'anywhere' } });

/**
 * The button that expands and collapses a branch by a press; keyboards use the arrow keys instead.
 */
const ExpandButton = chakra(TreeViewBranchTrigger, {
  base: {
    display: 'grid',
    placeItems: 'center',
    flex: 'none',
    width: '44px',
    height: '44px',
    '& svg': { transition: 'transform 160ms' },
    '&[data-state=open] svg': { transform: 'rotate(90deg)' },
    '&:dir(rtl)[data-state=closed] svg': { transform: 'rotate(180deg)' },
  },
});

const Chevron = (): ReactElement => (
  <svg viewBox="0 0 24 24" width={20} height={20} fill="none" stroke="currentColor" strokeWidth={1.75} aria-hidden>
    <path d="M9 5l7 7-7 7" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);

type TreeContext = {
  /** Prefix of all ids in this tree. */
  id: string;
  /** The event that a chosen entry sends. */
  event: string;
  current: string | null;
  /** The accessible name of the button that expands a branch. */
  openerName: (name: string) => string;
};

type RowProps = TreeContext & { entry: TreeEntry; index: number; count: number };

/**
 * An entry. The focused element is the tree item itself, as the ARIA practices require: Chakra
 * would focus a button within the item.
 */
const Row = ({ id, event, current, openerName, entry: { value, name, children }, index, count }: RowProps): ReactElement => {
  const { expanded, depth } = useTreeViewNodeContext();
  const isCurrent = value === current;
  const props = {
    role: 'treeitem',
    'aria-level': depth,
    'aria-setsize': count,
    'aria-posinset': index + 1,
    'aria-selected': isCurrent,
    'aria-current': isCurrent ? 'location' : undefined,
    'aria-labelledby': `${id}-${value}`,
    'data-event': event,
  } as const;
  const text = <Name id={`${id}-${value}`}>{name}</Name>;
  if (children.length === 0) return <Leaf {...props}>{text}</Leaf>;
  return (
    <Branch {...props} aria-expanded={expanded}>
      {text}
      <ExpandButton aria-label={openerName(name)} aria-expanded={expanded}>
        <Chevron />
      </ExpandButton>
    </Branch>
  );
};

type RowsProps = TreeContext & { entries: readonly TreeEntry[]; path: readonly number[] };

const Rows = ({ entries, path, ...shared }: RowsProps): ReactElement => (
  <>
    {entries.map((entry, index) => {
      const indexPath = [...path, index];
      return (
        <TreeViewNodeProvider key={entry.value} node={entry} indexPath={indexPath}>
          <Row {...shared} entry={entry} index={index} count={entries.length} />
          <BranchEntries {...shared} entries={entry.children} path={indexPath} />
        </TreeViewNodeProvider>
      );
    })}
  </>
);

/** A branch's entries while the branch is expanded; else null. */
const BranchEntries = (props: RowsProps): ReactElement | null => {
  const { expanded } = useTreeViewNodeContext();
  if (!expanded || props.entries.length === 0) return null;
  return (
    <chakra.div role="group" paddingInlineStart="18px">
      <Rows {...props} />
    </chakra.div>
  );
};

type TreeProps = TreeContext & {
  label: string;
  entries: readonly TreeEntry[];
  /** The initially expanded branches. */
  expandedValues: readonly string[];
  onChoose: (value: string) => void;
};

/**
 * A tree of entries to choose from (ARIA: tree view). Chakra handles its keys: arrows, Home, End,
 * `*`, and typing the beginning of a name. The tree keeps its expanded branches as local state.
 */
export const Tree = ({ label, entries, expandedValues, onChoose, ...shared }: TreeProps): ReactElement => {
  const collection = useMemo(
    () =>
      createTreeCollection<TreeEntry>({
        rootNode: { value: '', name: label, children: entries },
        nodeToValue: ({ value }) => value,
        nodeToString: ({ name }) => name,
        nodeToChildren: ({ children }) => [...children],
      }),
    [entries, label],
  );
  return (
    <TreeViewRoot
      id={shared.id}
      collection={collection}
      defaultExpandedValue={[...expandedValues]}
      defaultFocusedValue={shared.current}
      expandOnClick={false}
      // Keeps nothing selected, so that the current entry can be chosen as well.
      selectedValue={[]}
      onSelectionChange={({ selectedValue: [value] }) => (value === undefined ? undefined : onChoose(value))}
    >
      <TreeViewLabel hidden>{label}</TreeViewLabel>
      <TreeViewTree>
        <Rows {...shared} entries={entries} path={[]} />
      </TreeViewTree>
    </TreeViewRoot>
  );
};
