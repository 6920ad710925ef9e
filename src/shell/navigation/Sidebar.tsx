import { memo, type ReactElement } from 'react';
import { chakra } from '../../ui/chakra.ts';
import { hiddenInPrint } from '../../ui/hidden-in-print.ts';
import { CategoryTree } from './CategoryTree.tsx';
import { useCategories } from './use-categories.ts';

/** The left column of wide windows; narrower ones have the categories in the menu. */
export const Sidebar = memo((): ReactElement | null => {
  const { state } = useCategories();
  if (state === 'none') return null;
  return (
    <chakra.aside
      display={{ base: 'none', xl: 'block' }}
      flex="none"
      width="15rem"
      ml={8}
      mt={10}
      bg="sidebar"
      color="sidebarText"
      borderRadius="lg"
      css={{ '& :focus-visible': { outlineColor: 'sidebarText' }, ...hiddenInPrint }}
      alignSelf="flex-start"
      position="sticky"
      top="8rem"
      maxHeight="calc(100dvh - 9rem)"
      overflowY="auto"
      px={3}
      py={6}
    >
      <CategoryTree />
    </chakra.aside>
  );
});
