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
 * A message in the page; errors are announced at once, others when screen readers pause. The
 * success of an action goes into a notice that is in the page before it, empty and invisible, or
 * takes the focus.
 */
export const Notice = ({ tone = 'info', ...rest }: ComponentProps<typeof Box>): ReactElement => (
  <Box tone={tone} role={tone === 'danger' ? 'alert' : 'status'} {...rest} />
);
