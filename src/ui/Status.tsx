import type { ComponentProps, ReactElement } from 'react';
import { chakra, type Style } from './chakra.ts';

/** An empty status takes no room, and stays in the tree that screen readers look at. */
export const emptyApart: Style = { '&:empty': { position: 'absolute', clipPath: 'inset(50%)' } };

const Line = chakra('p', { base: emptyApart });

/**
 * Words that follow an action. The element is in the page before them, empty: screen readers
 * announce changes in a status that they know, and may miss one that comes with its text.
 */
export const Status = (props: ComponentProps<typeof Line>): ReactElement => <Line role="status" {...props} />;
