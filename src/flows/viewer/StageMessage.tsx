import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { Box, chakra } from '../../ui/chakra.ts';

const Action = chakra('button', {
  base: {
    minHeight: '48px',
    padding: '0 24px',
    borderRadius: '999px',
    fontSize: '16px',
    fontWeight: 600,
    cursor: 'pointer',
    border: '1px solid color-mix(in srgb, currentColor 30%, transparent)',
    _focusVisible: { outline: '2px solid currentColor', outlineOffset: '3px' },
  },
  variants: {
    main: { true: { background: 'var(--ink)', color: 'var(--paper)', borderColor: 'var(--ink)' } },
  },
});

/** A button in a message, which says what it sends. */
export const StageAction = ({ event, ...rest }: ComponentProps<typeof Action> & { event: string }): ReactElement => (
  <Action type="button" data-event={event} {...rest} />
);

/** Words in the middle of the stage, over whatever lies there. */
export const StageMessage = ({
  title,
  children,
  actions,
  role = 'status',
  level = 2,
}: {
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  role?: 'status' | 'alert';
  /** 1 when the message is all that the page says. */
  level?: 1 | 2;
}): ReactElement => (
  <Box position="absolute" inset="0" zIndex="1" display="grid" placeItems="center" padding="24px" background="var(--paper)">
    <Box role={role} maxWidth="440px" textAlign="center">
      <Box as={`h${level}`} fontFamily="display" fontSize="clamp(24px, 4vw, 32px)" lineHeight="1.25" textWrap="balance">
        {title}
      </Box>
      {children === undefined ? null : (
        <Box marginTop="12px" fontSize="16px" lineHeight="1.55" color="var(--soft)">
          {children}
        </Box>
      )}
      {actions === undefined ? null : (
        <Box marginTop="28px" display="flex" flexWrap="wrap" justifyContent="center" gap="12px">
          {actions}
        </Box>
      )}
    </Box>
  </Box>
);

/** Said while something is on its way; quiet, since it seldom lasts. */
export const StageWait = ({ children }: { children: ReactNode }): ReactElement => (
  <Box position="absolute" inset="0" zIndex="1" display="grid" placeItems="center" background="var(--paper)">
    <Box
      as="output"
      display="grid"
      justifyItems="center"
      gap="16px"
      color="var(--soft)"
      css={{
        '&::before': {
          content: '""',
          width: '32px',
          height: '32px',
          borderRadius: '50%',
          border: '3px solid color-mix(in srgb, currentColor 25%, transparent)',
          borderTopColor: 'currentColor',
          animation: 'turn 900ms linear infinite',
        },
        '@media (prefers-reduced-motion: reduce)': { '&::before': { animation: 'none' } },
      }}
    >
      {children}
    </Box>
  </Box>
);
