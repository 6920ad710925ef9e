import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { listPath } from '../../../machines/model/paths.ts';
import type { FramePart } from '../../../machines/flows/flow-definition.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { BarLink } from '../../ui/BarButton.ts';
import { chakra } from '../../ui/chakra.ts';
import { useApp, useHasWishList } from '../../views/app-actor.ts';

type ExploreLinksProps = { hides: FramePart[]; stacked?: boolean };

/**
 * The kinds of titles that the store has; Home comes before them in the menu, and at the other end
 * of the bar. The wish list (see `useHasWishList`) comes after them, in the menu only.
 */
export const ExploreLinks = ({ hides, stacked = false }: ExploreLinksProps): ReactElement | null => {
  const { t } = useLingui();
  const brand = useBrand();
  const hasWishList = useHasWishList();
  const currentPath = useApp(({ route }) => route?.path.split('?')[0] ?? '');
  const links = [
    ...(hides.includes('home') || !stacked ? [] : [{ href: '/', text: t`Home` }]),
    ...(hides.includes('explore') ? [] : brand.lists.map((list) => ({ href: listPath(list), text: brand.listTexts[list] }))),
    // The bar of a narrow window has no room for the wish list.
    ...(stacked && hasWishList ? [{ href: '/wishlist', text: t`Wish list` }] : []),
  ];
  if (links.length === 0) return null;
  return (
    <chakra.nav aria-label={t`Explore`} display="flex" flexDirection={stacked ? 'column' : 'row'} ml={stacked ? 0 : -3}>
      {links.map(({ href, text }) => (
        <BarLink
          key={href}
          href={href}
          justifyContent="flex-start"
          minHeight={stacked ? 12 : 10}
          maxWidth="16rem"
          overflow="hidden"
          textOverflow="ellipsis"
          aria-current={currentPath === href ? 'page' : undefined}
        >
          {text}
        </BarLink>
      ))}
    </chakra.nav>
  );
};
