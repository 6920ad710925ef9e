import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { newestPath } from '../../../machines/model/paths.ts';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { useApp } from '../../views/app-actor.ts';

/**
 * Shortcuts to filtered lists of all titles, in a strip that scrolls horizontally where it is too
 * long.
 */
export const TopFilter = (): ReactElement => {
  const { t } = useLingui();
  const currentPath = useApp(({ route }) => route?.path);
  const filters = [
    { href: newestPath, text: t`New titles` },
    { href: '/all/popular', text: t`Popular` },
    { href: '/all/free', text: t`Free` },
  ];
  return (
    <chakra.nav
      aria-label={t`Filter`}
      display="flex"
      columnGap={5}
      // Overflowing content fades out before the edge.
      pr={6}
      maskImage="linear-gradient(to left,#0000,#000 1.5rem)"
      overflowX="auto"
      fontSize="sm"
      whiteSpace="nowrap"
      // A scroll container clips focus rings outside of it.
      css={{ '& :focus-visible': { outlineOffset: '-2px' } }}
    >
      {filters.map(({ href, text }) => (
        <TextLink key={href} href={href} look="bar" py={2} aria-current={currentPath === href ? 'page' : undefined}>
          {text}
        </TextLink>
      ))}
    </chakra.nav>
  );
};
