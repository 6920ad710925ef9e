import type { Frame } from '@playwright/test';

/**
 * Texts and names of picture elements that no reader can see in full: they cross the edge of a
 * column and are in no scrollable box. Their rectangles are measured; marks of the fitting code,
 * such as `data-colophon-fit`, are not consulted.
 */
export const findClippedContent = (frame: Frame): Promise<string[]> =>
  frame.evaluate(() => {
    const root = document.documentElement;
    const { style } = root;
    const box = root.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(document.body).direction === 'rtl';
    const isVertical = getComputedStyle(document.body).writingMode.startsWith('vertical');
    // The browser makes columns as wide as the page allows, a fraction of a pixel more than
    // requested.
    const gap = parseFloat(style.columnGap);
    const page = parseFloat(isVertical ? style.height : style.width);
    const width = page / Math.round(page / (parseFloat(style.columnWidth) + gap)) - gap;
    if (Number.isNaN(width))
      throw new Error(`The page has no columns: column-width “${style.columnWidth}”, column-gap “${style.columnGap}”.`);
    const isBeyond = (rect: DOMRect): boolean => {
      const [start, size] = isVertical
        ? [rect.top - box.top, rect.height]
        : [isRightToLeft ? box.right - rect.right : rect.left - box.left, rect.width];
      if (rect.width < 1 || rect.height < 1) return false;
      const columnOffset = start - gap / 2 - Math.floor(start / (width + gap)) * (width + gap);
      return columnOffset + size > width + gap / 2 + 1;
    };
    const findScroller = (element: Element | null): Element | null => {
      for (let each = element; each !== null && each !== document.body; each = each.parentElement)
        if (/auto|scroll/.test(getComputedStyle(each).overflow)) return each;
      return null;
    };
    const isHidden = (element: Element | null) =>
      element === null || getComputedStyle(element).visibility === 'hidden' || element.closest('style, script, title') !== null;
    const getRects = (node: Node): DOMRect[] => {
      const element = node.nodeType === 1 ? (node as Element) : node.parentElement;
      if (isHidden(element)) return [];
      const scrollBox = findScroller(element);
      if (scrollBox !== null) return [...scrollBox.getClientRects()];
      if (node.nodeType === 1) return [...(node as Element).getClientRects()];
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()];
    };
    const clippedContent: string[] = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
      const isPicture = node.nodeType === 1 && /^(img|svg|canvas|video)$/.test((node as Element).localName);
      const isText = node.nodeType === 3 && (node.nodeValue ?? '').trim() !== '';
      if (!isPicture && !isText) continue;
      if (getRects(node).some(isBeyond))
        clippedContent.push(isText ? (node.nodeValue ?? '').trim().slice(0, 60) : (node as Element).localName);
    }
    return clippedContent;
  });
