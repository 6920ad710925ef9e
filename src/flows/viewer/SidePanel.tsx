import { Box, chakra } from '../../ui/chakra.ts';
import { useLingui } from '@lingui/react/macro';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { IconButton } from './IconButton.tsx';

const Veil = chakra('button', {
  base: { position: 'absolute', inset: 0, zIndex: 1, cursor: 'default' },
  variants: { dims: { true: { background: 'rgb(0 0 0 / 0.32)' } } },
});

const Sheet = chakra('dialog', {
  base: {
    position: 'absolute',
    zIndex: 2,
    top: 0,
    bottom: 0,
    insetInlineEnd: 0,
    width: 'min(380px, 100%)',
    display: 'flex',
    flexDirection: 'column',
    background: 'var(--panel)',
    color: 'var(--ink)',
    boxShadow: '0 0 40px rgb(0 0 0 / 0.24)',
    outline: 'none',
    margin: 0,
    padding: 'env(safe-area-inset-top) 0 env(safe-area-inset-bottom)',
    border: 0,
    maxWidth: 'none',
    maxHeight: 'none',
    height: 'auto',
    insetInlineStart: 'auto',
    '@media (max-width: 767px)': {
      top: 'auto',
      width: '100%',
      maxHeight: '78%',
      borderRadius: '20px 20px 0 0',
    },
  },
  variants: {
    /** A card below the button that opened it, so that the page beside it is seen. */
    card: {
      true: {
        '@media (min-width: 768px)': {
          top: 'calc(56px + env(safe-area-inset-top))',
          bottom: 'auto',
          insetInlineEnd: '12px',
          width: '360px',
          padding: 0,
          borderRadius: '16px',
        },
      },
    },
  },
});

const seat = (node: HTMLElement | null): void => {
  if (!node) return;
  const current = node.querySelector<HTMLElement>('[aria-current="location"], input:checked');
  const first = node.querySelector<HTMLElement>('[data-panel-body] button, [data-panel-body] input');
  (current ?? first ?? node).focus();
};

/** Keeps Tab inside the sheet: the page behind it is veiled. */
const keepInside = (press: KeyboardEvent<HTMLElement>): void => {
  if (press.key !== 'Tab') return;
  const stops = [...press.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled), input:checked, a[href]')];
  const from = press.shiftKey ? stops[0] : stops.at(-1);
  if (press.target !== from) return;
  press.preventDefault();
  (press.shiftKey ? stops.at(-1) : stops[0])?.focus();
};

/** A sheet beside the page, under it on a phone. It takes the focus when it opens. */
export const SidePanel = ({
  title,
  dims = true,
  onClose,
  children,
}: {
  title: string;
  /** Whether the page behind is dimmed; where it is not, as little of it as can be is covered. */
  dims?: boolean;
  onClose: () => void;
  children: ReactNode;
}): ReactElement => {
  const { t } = useLingui();
  return (
    <>
      <Veil type="button" dims={dims} tabIndex={-1} aria-hidden onClick={onClose} />
      <Sheet card={!dims} ref={seat} open aria-modal aria-label={title} tabIndex={-1} onKeyDown={keepInside}>
        <Box display="flex" alignItems="center" gap="8px" padding="8px 8px 8px 20px">
          <Box as="h2" flex="1" fontSize="18px" fontWeight="650">
            {title}
          </Box>
          <IconButton icon="close" label={t`Close`} event="panel.closed" onClick={onClose} />
        </Box>
        <Box data-panel-body flex="1" minHeight="0" overflowY="auto" overscrollBehavior="contain" padding="0 12px 20px">
          {children}
        </Box>
      </Sheet>
    </>
  );
};
