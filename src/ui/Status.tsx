import type { ComponentProps, ReactElement } from 'react';
import { chakra, type Style } from './chakra.ts';

/**
 * Style for an element that takes no space while it is empty, but stays in the accessibility tree.
 */
export const hiddenWhenEmpty: Style = { '&:empty': { position: 'absolute', clipPath: 'inset(50%)' } };

const Line = chakra('p', { base: hiddenWhenEmpty });

/**
 * A text after an action. The empty element must be in the page before the action: screen readers
 * announce changes in a known status, and may miss a status that is added with its text.
 */
export const Status = (props: ComponentProps<typeof Line>): ReactElement => <Line role="status" {...props} />;
