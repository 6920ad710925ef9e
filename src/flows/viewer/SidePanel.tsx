import { useLingui } from '@lingui/react/macro';
import type { ReactElement, ReactNode } from 'react';
import { Box, chakra } from '../../ui/chakra.ts';
import { IconButton } from './IconButton.tsx';

const Sheet = chakra('dialog', {
  base: {
    inset: '0 0 0 auto',
    width: 'min(380px, 100%)',
    height: 'auto',
    maxWidth: 'none',
    maxHeight: 'none',
    '&[open]': { display: 'flex', flexDirection: 'column' },
    background: 'var(--panel)',
    color: 'var(--ink)',
    boxShadow: '0 0 40px rgb(0 0 0 / 0.24)',
    outline: 'none',
    margin: 0,
    padding: 'env(safe-area-inset-top) 0 env(safe-area-inset-bottom)',
    border: 0,
    '&::backdrop': { background: 'rgb(0 0 0 / 0.32)' },
    '@media (max-width: 767px)': {
      top: 'auto',
      width: '100%',
      maxHeight: '78%',
      borderRadius: '20px 20px 0 0',
    },
  },
  variants: {
    /** A card below the button that opened it, so that the page beside it stays visible. */
    card: {
      true: {
        '&::backdrop': { background: 'none' },
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

/**
 * Opens the mounted sheet over the page, with the focus on the current chapter or choice; returns a
 * function that closes it.
 */
const showSheet = (sheet: HTMLDialogElement): (() => void) => {
  sheet.showModal();
  sheet.querySelector<HTMLElement>('[aria-current], :checked')?.focus();
  return () => sheet.close();
};

/**
 * A sheet beside the page, below it on a phone. The browser traps the focus in it, closes it on
 * Escape, and restores the focus.
 */
export const SidePanel = ({
  title,
  dims = true,
  onClose,
  children,
}: {
  title: string;
  /** Whether the page behind is dimmed; else the sheet covers as little of the page as possible. */
  dims?: boolean;
  onClose: () => void;
  children: ReactNode;
}): ReactElement => {
  const { t } = useLingui();
  return (
    <Sheet
      card={!dims}
      ref={showSheet}
      aria-label={title}
      onClose={onClose}
      // The backdrop belongs to this element: a click on the element itself, not on a child, was
      // outside of the panel.
      onClick={({ target, currentTarget }) => (target === currentTarget ? onClose() : undefined)}
    >
      <Box display="flex" alignItems="center" gap="8px" padding="8px 8px 8px 20px">
        <Box as="h2" flex="1" fontSize="18px" fontWeight="650">
          {title}
        </Box>
        <IconButton icon="close" label={t`Close`} event="panel.closed" onClick={onClose} />
      </Box>
      <Box flex="1" minHeight="0" overflowY="auto" overscrollBehavior="contain" padding="0 12px 20px">
        {children}
      </Box>
    </Sheet>
  );
};
