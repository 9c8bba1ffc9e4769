// A file that the page shows, asked for as the page itself would ask for it.
async (args, makeBinary) => {
  const binary = makeBinary();
  try {
    const response = await fetch(args.src, { credentials: 'include' });
    if (!response.ok) return { error: `http_${response.status}` };
    const blob = await response.blob();
    const answer = { mimeType: blob.type, bytes: blob.size };
    if (blob.size > args.most) return answer;
    return { ...answer, data: binary.encode(new Uint8Array(await blob.arrayBuffer())) };
  } catch {
    return { error: 'fetch_failed' };
  }
}
