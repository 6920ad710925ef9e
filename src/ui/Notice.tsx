import type { ComponentProps, ReactElement } from 'react';
import { chakra } from './chakra.ts';
import { hiddenWhenEmpty } from './Status.tsx';

const Box = chakra('div', {
  base: {
    display: 'grid',
    gap: 2,
    px: 4,
    py: 3,
    borderRadius: 'md',
    borderLeft: '4px solid',
    fontSize: 'md',
    ...hiddenWhenEmpty,
  },
  variants: {
    tone: {
      info: { bg: 'accentSoft', borderColor: 'accent' },
      success: { bg: 'successSoft', borderColor: 'success' },
      danger: { bg: 'dangerSoft', borderColor: 'danger' },
    },
  },
  defaultVariants: { tone: 'info' },
});

/**
 * A message in the page; errors are announced at once, other messages when screen readers pause.
 * The notice for the success of an action must be in the page, empty and invisible, before the
 * action, or take the focus.
 */
export const Notice = ({ tone = 'info', ...boxProps }: ComponentProps<typeof Box>): ReactElement => (
  <Box tone={tone} role={tone === 'danger' ? 'alert' : 'status'} {...boxProps} />
);
