import { escapeText } from '../text.ts';

/** One XHTML content document. */
export const createXhtml = (
  language: string,
  title: string,
  body: string,
  head = '<link rel="stylesheet" type="text/css" href="style.css"/>',
  bodyType = '',
): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${language}" xml:lang="${language}">
<head>
<meta charset="utf-8"/>
<title>${escapeText(title)}</title>
${head}
</head>
<body${bodyType ? ` epub:type="${bodyType}"` : ''}>
${body}
</body>
</html>
`;

export interface NavItem {
  title: string;
  href: string;
  children?: NavItem[];
}

const formatEntries = (items: NavItem[]): string =>
  `<ol>\n${items.map(({ title, href, children }) => `<li><a href="${href}">${escapeText(title)}</a>${children?.length ? `\n${formatEntries(children)}` : ''}</li>`).join('\n')}\n</ol>`;

/**
 * The navigation document: the table of contents, nested like `items`, and the landmarks. The
 * document is not a page of the book, so no landmark may point to it.
 */
export function createNavDocument(
  language: string,
  heading: string,
  items: NavItem[],
  landmarks: { type: string; title: string; href: string }[],
): string {
  const landmarkItems = landmarks
    .map(({ type, title, href }) => `<li><a epub:type="${type}" href="${href}">${escapeText(title)}</a></li>`)
    .join('\n');
  return createXhtml(
    language,
    heading,
    `<nav epub:type="toc" id="toc" role="doc-toc">
<h1>${escapeText(heading)}</h1>
${formatEntries(items)}
</nav>
<nav epub:type="landmarks" hidden="hidden">
<ol>
${landmarkItems}
</ol>
</nav>`,
  );
}
