import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { HarnessServer } from './support/harness-server.ts';
import { expect, test } from './support/fixtures.ts';

/** A UDP socket that takes the place of a STUN server. */
let stunSocket: Socket;
/** Packets that the socket has received in the current test. */
let packetCount = 0;
let folder: string;
test.beforeAll(async () => {
  stunSocket = createSocket('udp4', () => (packetCount += 1)).bind(0, '127.0.0.1');
  await once(stunSocket, 'listening');
});
test.beforeEach(async () => {
  packetCount = 0;
  folder = await mkdtemp(join(tmpdir(), 'colophon-walled-'));
});
test.afterEach(() => rm(folder, { recursive: true }));
test.afterAll(() => stunSocket.close());

/**
 * A script that posts whether WebRTC exists in a realm and contacts the STUN server with it. The
 * script has no quotes or tags, so that it can be embedded in an attribute.
 */
const createStunScript = (realm: string, port: number): string =>
  `parent.postMessage(\`${realm}: \${typeof RTCPeerConnection}\`, \`*\`); const pc = new RTCPeerConnection({ iceServers: [{ urls: ` +
  `\`stun:127.0.0.1:${port}\` }] }); pc.createDataChannel(\`x\`); pc.createOffer().then((offer) => pc.setLocalDescription(offer))`;

/**
 * Scripts that try to get a document or a worker other than the title's own. They may use `script`,
 * which contacts the STUN server, `inner`, a document with it, and `frame`, an iframe with that
 * document.
 */
const ESCAPE_SCRIPTS: Record<string, string> = {
  'the srcdoc property of a frame': `const f = document.createElement('iframe'); f.srcdoc = inner; document.body.append(f)`,
  'the srcdoc attribute of a frame': `const f = document.createElement('iframe'); f.setAttribute('SRCDOC', inner); document.body.append(f)`,
  'a srcdoc attribute in no namespace': `const f = document.createElement('iframe'); f.setAttributeNS(null, 'srcdoc', inner); document.body.append(f)`,
  'a srcdoc attribute created by the document': `const a = document.createAttribute('srcdoc'); a.value = inner; const f = document.createElement('iframe'); f.setAttributeNode(a); document.body.append(f)`,
  'the node value of a srcdoc attribute': `const f = document.createElement('iframe'); f.toggleAttribute('srcdoc'); document.body.append(f); f.getAttributeNode('srcdoc').nodeValue = inner`,
  innerHTML: `document.body.innerHTML = frame`,
  insertAdjacentHTML: `document.body.insertAdjacentHTML('beforeend', frame)`,
  'a contextual fragment': `document.body.append(document.createRange().createContextualFragment(frame))`,
  'a closed shadow root': `document.body.setHTMLUnsafe('<div><template shadowrootmode=closed>' + frame + '</template></div>')`,
  'a parsed document': `document.body.append(document.adoptNode(new DOMParser().parseFromString(frame, 'text/html').body.firstChild))`,
  'XML entities': `const xml = '<!DOCTYPE r [<!ENTITY x "&#60;iframe xmlns=&#39;http://www.w3.org/1999/xhtml&#39; &#115;rcdoc=&#39;&#38;#60;p&#38;#62;&#39;/>">]><r>&x;</r>'; const f = new DOMParser().parseFromString(xml, 'text/xml').querySelector('iframe'); f.setAttribute('data-x', ''); parent.postMessage('entities: function', '*')`,
  'an XSLT stylesheet': `const XSL = 'http://www.w3.org/1999/XSL/Transform'; const sheet = document.implementation.createDocument(XSL, 'xsl:stylesheet'); sheet.documentElement.setAttribute('version', '1.0'); const add = (to, name, more) => { const e = sheet.createElementNS(XSL, 'xsl:' + name); for (const [k, v] of Object.entries(more)) e.setAttribute(k, v); to.append(e); return e }; const template = add(sheet.documentElement, 'template', { match: '/' }); const f = sheet.createElementNS('http://www.w3.org/1999/xhtml', 'iframe'); template.append(f); add(f, 'attribute', { name: 'srcdoc' }).append(inner); const xslt = new XSLTProcessor(); xslt.importStylesheet(sheet); document.body.append(xslt.transformToFragment(document.implementation.createDocument('', 'r'), document))`,
  'document.write': `document.write(frame)`,
  'document.write in two calls': `document.write('<iframe src'); document.write('doc="' + inner + '"></iframe>')`,
  'a cloned template': `document.body.innerHTML = '<template id=t>' + frame + '</template>'; document.body.append(t.content.cloneNode(true))`,
  'overridden built-in functions': `String.prototype.includes = () => false; String.prototype.toLowerCase = () => ''; RegExp.prototype.test = () => false; Function.prototype.call = Function.prototype.apply = () => null; Reflect.apply = () => false; document.body.innerHTML = frame`,
  'another Trusted Types policy': `const p = trustedTypes.createPolicy('own', { createHTML: (s) => s }); document.body.innerHTML = p.createHTML(frame)`,
  'a second default Trusted Types policy': `const p = trustedTypes.createPolicy('default', { createHTML: (s) => s }); document.body.innerHTML = p.createHTML(frame)`,
  'a frame with a javascript URL': `const f = document.createElement('iframe'); f.src = 'javascript:' + script; document.body.append(f)`,
  'a javascript link into a frame': `const f = document.createElement('iframe'); f.name = 'q'; const a = document.createElement('a'); a.target = 'q'; a.href = 'javascript:' + script; document.body.append(f, a); a.click()`,
  'a javascript URL opened in a frame': `const f = document.createElement('iframe'); f.name = 'q'; document.body.append(f); open('javascript:' + script, 'q')`,
  'a javascript URL as its own location': `location.href = 'javascript:' + encodeURIComponent(JSON.stringify(inner))`,
  'a javascript URL opened in its own window': `open('javascript:' + encodeURIComponent(JSON.stringify(inner)), '_self')`,
  'a data URL': `const f = document.createElement('iframe'); f.src = 'data:text/html,' + inner; document.body.append(f)`,
  'a blob URL': `const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob([inner], { type: 'text/html' })); document.body.append(f)`,
  'an object element': `const o = document.createElement('object'); o.data = 'data:text/html,' + inner; document.body.append(o)`,
  'an empty frame': `const f = document.createElement('iframe'); document.body.append(f); parent.postMessage('empty: ' + typeof f.contentWindow.RTCPeerConnection, '*')`,
  'a page in its folder': `const f = document.createElement('iframe'); f.src = 'page.html'; document.body.append(f)`,
  'a worker from a blob': `new Worker(URL.createObjectURL(new Blob(['postMessage("worker: " + typeof RTCDataChannel + typeof WebTransport)']))).onmessage = (e) => parent.postMessage(e.data, '*')`,
  'a worker in its folder': `new Worker('worker.js').onmessage = (e) => parent.postMessage(e.data, '*')`,
};

/** Opens a title and waits until all its documents have run. @returns their messages */
async function playPage(page: Page, server: HarnessServer, html: string): Promise<string[]> {
  await writeFile(join(folder, 'index.html'), html);
  await page.goto('/');
  await page.evaluate(
    (url) => {
      const messages: unknown[] = [];
      Object.assign(window, { messages });
      window.addEventListener('message', ({ data }) => messages.push(data));
      window.reader.openInteractive({ url, start: null });
    },
    server.mediaUrl(join(folder, 'index.html')),
  );
  await page.waitForFunction(() => (window as unknown as { messages: unknown[] }).messages.includes('over'));
  // Frames load in the order of their creation: after this one, all others have loaded.
  for (let round = 0; round < 2; round += 1)
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          const last = document.createElement('iframe');
          last.srcdoc = '<p>last</p>';
          last.addEventListener('load', resolve);
          document.body.append(last);
        }),
    );
  const messages = await page.evaluate(() => (window as unknown as { messages: unknown[] }).messages);
  return messages.filter((each): each is string => typeof each === 'string' && each !== 'over');
}

/** A page that runs a script, forwards the messages of its frames, and posts `over` at its end. */
const createPageWithScript = (script: string): string => `<!doctype html><html><head><title>t</title></head><body><script>
  addEventListener('message', ({ data }) => parent.postMessage(data, '*'))
  const script = ${JSON.stringify(createStunScript('inner', (stunSocket.address() as { port: number }).port))}
  const inner = '<scr' + 'ipt>' + script + '</scr' + 'ipt>'
  const frame = '<iframe srcdoc="' + inner + '"></iframe>'
</script><script>try { ${script} } catch {}</script><script>parent.postMessage('over', '*')</script></body></html>`;

test('an interactive title has no interface that its content policy does not cover', async ({ page, server }) => {
  const names = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'RTCIceTransport', 'WebTransport'];
  const probeScript = `parent.postMessage(${JSON.stringify(names)}.filter((name) => name in self).join() || 'nothing', '*')`;
  expect(await playPage(page, server, createPageWithScript(probeScript))).toEqual(['nothing']);
});

for (const [name, script] of Object.entries(ESCAPE_SCRIPTS))
  test(`an interactive title gets no WebRTC by ${name}`, async ({ page, server }) => {
    await writeFile(join(folder, 'page.html'), '<script>parent.postMessage("page: " + typeof RTCPeerConnection, "*")</script>');
    await writeFile(join(folder, 'worker.js'), 'postMessage("worker: " + typeof RTCDataChannel)');
    const messages = await playPage(page, server, createPageWithScript(script));
    expect(messages.filter((each) => each.includes('function'))).toEqual([]);
    expect(packetCount).toBe(0);
  });

for (const [name, html] of Object.entries({
  'a doctype that quotes a tag': (body: string) => `<!doctype html PUBLIC "><scr${''}ipt>look()</script>">${body}`,
  'a comment that browsers end early': (body: string) => `<!-->${body}--><!doctype html>`,
  'comments before the doctype': (body: string) => `<!-- <!--> <!-- --!><!---><?xml version="1.0"?><!doctype html>${body}`,
  'an XML declaration that ends early': (body: string) => `<?xml ">${body}"?><!doctype html>`,
  'a comment that only seems to continue': (body: string) => `<!--->${body}--><!doctype html>`,
  'an unfinished comment at its end': (body: string) => `${body}<!--`,
  'markup before the document': (body: string) => `</head></script>--></textarea>${body}`,
}))
  test(`WebRTC is removed before the scripts of a page with ${name} run`, async ({ page, server }) => {
    const probeScript = "parent.postMessage('main: ' + typeof RTCPeerConnection, '*')";
    const body = `<script>${probeScript}</script><iframe SRCDOC="<script>top.postMessage('inner: ' + typeof RTCPeerConnection, '*')</script>"></iframe><iframe src="javascript:top.postMessage('script: ' + typeof RTCPeerConnection, '*')"></iframe><script>parent.postMessage('over', '*')</script>`;
    const messages = await playPage(page, server, html(body));
    expect(messages).toEqual(['main: undefined']);
  });

for (const [mode, html] of [
  ['CSS1Compat', '<!-- A game --><!doctype html>'],
  ['CSS1Compat', '<?xml version="1.0"?>\n<!doctype html>'],
  ['BackCompat', '<!-- A game -->'],
] as const)
  test(`a page that begins with ${html.trim()} is rendered in the mode ${mode}`, async ({ page, server }) => {
    const script = `<script>parent.postMessage(document.compatMode, '*'); parent.postMessage('over', '*')</script>`;
    expect(await playPage(page, server, html + script)).toEqual([mode]);
  });

test('an interactive title shows embedded pictures but no embedded film, which could be a playlist', async ({ page, server }) => {
  const script = `let pendingCount = 4;
    const post = (text) => { parent.postMessage(text, '*'); pendingCount -= 1; if (pendingCount === 0) parent.postMessage('over', '*') };
    const postType = (name) => (e) => post(name + ' ' + e.type);
    const add = (tag, name, src) => { const e = document.createElement(tag); e.onload = e.onerror = postType(name); e.src = src; document.body.append(e) };
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
    add('img', 'data picture', 'data:image/svg+xml,' + encodeURIComponent(svg));
    add('img', 'blob picture', URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })));
    add('video', 'data film', 'data:application/vnd.apple.mpegurl,%23EXTM3U');
    addEventListener('securitypolicyviolation', (e) => post(e.effectiveDirective))`;
  const html = createPageWithScript(script).replace("<script>parent.postMessage('over', '*')</script>", '');
  expect((await playPage(page, server, html)).toSorted()).toEqual([
    'blob picture load',
    'data film error',
    'data picture load',
    'media-src',
  ]);
});

test('an interactive title may build its page from text, with event handlers and scripts', async ({ page, server }) => {
  const script = `document.body.innerHTML = '<button onclick="parent.postMessage(this.textContent, \\'*\\')">pressed</button>';
    const s = document.createElement('script'); s.textContent = "document.querySelector('button').click()"; document.body.append(s)`;
  expect(await playPage(page, server, createPageWithScript(script))).toEqual(['pressed']);
});
