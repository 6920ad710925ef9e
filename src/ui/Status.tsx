import type { ComponentProps, ReactElement } from 'react';
import { chakra, type Style } from './chakra.ts';

/** An empty status takes no space, and stays in the accessibility tree. */
export const hiddenWhenEmpty: Style = { '&:empty': { position: 'absolute', clipPath: 'inset(50%)' } };

const Line = chakra('p', { base: hiddenWhenEmpty });

/**
 * A text after an action. The element is in the page before, empty: screen readers announce changes
 * in a known status, and may miss one that is added with its text.
 */
export const Status = (props: ComponentProps<typeof Line>): ReactElement => <Line role="status" {...props} />;
