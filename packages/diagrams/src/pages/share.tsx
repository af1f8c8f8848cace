import { Button, CopyButton, hrefOf, say } from "millrace/dashboard";
import { useState } from "react";
import { sourceToHash } from "./shared-source.ts";

interface Props {
  /** The complete address of the drawing. */
  readonly link: string;
  readonly isPicture: boolean;
  readonly source: string;
  /** The query of the editor: format and options. */
  readonly query: string;
}

/** What is made of a drawing: links to it and to the editor, and copies of the picture. */
export function Share({ link, isPicture, source, query }: Props) {
  const [open, setOpen] = useState(false);
  const editable = new URL(`${hrefOf("/diagrams")}${query}#${sourceToHash(source)}`, window.location.href).href;
  return (
    <>
      {isPicture && (
        <Button look="quiet" icon="copy" onClick={() => void copied(() => copyPng(link))} aria-label="Copy as PNG">
          PNG
        </Button>
      )}
      {isPicture && (
        <Button look="quiet" icon="copy" onClick={() => void copied(() => copySvg(link))} aria-label="Copy as SVG">
          SVG
        </Button>
      )}
      <a className="button" href={`${link}?download=true`} download>
        Download
      </a>
      <Button aria-expanded={open} onClick={() => setOpen(!open)}>
        Share
      </Button>
      {open && (
        <div className="share">
          <CopyButton text={link} what="Link">
            Copy link
          </CopyButton>
          <CopyButton text={editable} what="Editable link">
            Copy editable link
          </CopyButton>
          <CopyButton text={`![](${link})`} what="Markdown">
            Markdown
          </CopyButton>
          <a href={link} target="_blank" rel="noreferrer" className="mono">
            {link}
          </a>
        </div>
      )}
    </>
  );
}

async function copied(copy: () => Promise<void>): Promise<void> {
  try {
    await copy();
    say("Copied.");
  } catch {
    say("The browser blocked copying. Download the picture instead.", "wrong");
  }
}

async function copySvg(link: string): Promise<void> {
  await navigator.clipboard.writeText(await (await fetch(link)).text());
}

/** Drawn by the browser, at twice its size. A clipboard takes a picture only while the click is being handled. */
function copyPng(link: string): Promise<void> {
  return navigator.clipboard.write([new ClipboardItem({ "image/png": pngOf(link) })]);
}

async function pngOf(link: string): Promise<Blob> {
  const image = new Image();
  image.src = link;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser draws no pictures.");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be drawn."))), "image/png");
  });
}
