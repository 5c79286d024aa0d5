"""Hostile files for test_hostile.py: names, bytes, and the reason with which each must be refused."""
import base64
import copy
import json
import math
import os
import struct

GIGABYTE = 1 << 30


class Sparse:
    """Bytes at the beginning of a file that is long and otherwise empty."""

    def __init__(self, head=b"", size=GIGABYTE):
        self.head, self.size = head, size


class Link:
    """A symbolic link."""

    def __init__(self, target):
        self.target = target


class Pipe:
    """A named pipe that nothing is ever written to."""


# ------------------------------------------------------------------------------------------------------- glTF

TRIANGLE = struct.pack("<9f", 0, 0, 0, 5, 0, 0, 0, 5, 0) + struct.pack("<3H", 0, 1, 2)


def data_uri(data):
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode()


DOCUMENT = {
    "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "buffers": [{"byteLength": len(TRIANGLE), "uri": data_uri(TRIANGLE)}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                  {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}]}


def gltf(path=None, value=None, **members):
    """The document with something else at a path such as "accessors.0.count" (None: removed), or other members."""
    document = copy.deepcopy(DOCUMENT)
    if path is not None:
        *steps, last = [int(s) if s.isdigit() else s for s in path.split(".")]
        at = document
        for step in steps:
            at = at[step]
        at[last] = value
        if value is None:
            del at[last]
    document.update(members)
    return json.dumps(document)


def glb(text=b"{}", data=None, total=None, text_size=None, data_size=None, version=2, kind=b"JSON"):
    """A .glb whose lengths say what they are told to."""
    chunks = struct.pack("<I4s", len(text) if text_size is None else text_size, kind) + text
    if data is not None:
        chunks += struct.pack("<I4s", len(data) if data_size is None else data_size, b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", version, 12 + len(chunks) if total is None else total) + chunks


def sparse_accessor(**changes):
    sparse = {"count": 1, "indices": {"bufferView": 1, "componentType": 5123}, "values": {"bufferView": 0}}
    sparse.update(changes)
    return {"componentType": 5126, "count": 3, "type": "VEC3", "sparse": sparse}


def placed_often(times, corners):
    """One mesh of some size that a small file places again and again."""
    data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) + bytes(corners)
    nodes = [{"mesh": 0} for _ in range(times)]
    return gltf(nodes=nodes, scenes=[{"nodes": list(range(times))}],
                buffers=[{"byteLength": len(data), "uri": data_uri(data)}],
                bufferViews=[{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": corners}],
                accessors=[DOCUMENT["accessors"][0],
                           {"bufferView": 1, "componentType": 5121, "count": corners, "type": "SCALAR"}])


def gltf_cases():
    tree = "nodes must be a tree"
    yield "plain.gltf", gltf(), None
    yield "unlit.gltf", gltf(extensionsRequired=["KHR_materials_unlit"]), None
    yield "mark.gltf", "\ufeff" + gltf(), None
    yield "strip.gltf", gltf("meshes.0.primitives.0.mode", 5), None
    yield "flat.gltf", gltf("nodes.0.scale", [0, 0, 0]), None
    yield "cycle.gltf", gltf(nodes=[{"mesh": 0, "children": [1]}, {"children": [0]}]), tree
    yield "own-child.gltf", gltf("nodes.0.children", [0]), tree
    yield "root-twice.gltf", gltf("scenes.0.nodes", [0, 0]), tree
    yield "shared.gltf", gltf(nodes=[{"children": [i + 1, i + 1]} for i in range(40)] + [{"mesh": 0}]), tree
    yield "deep.gltf", gltf(nodes=[{"children": [i + 1]} for i in range(60000)] + [{"mesh": 0}]), "more than 512 deep"
    yield "often.gltf", placed_often(20000, 60000), "MB of triangles"
    yield "many-nodes.gltf", gltf(nodes=[{} for _ in range(50000)]), "no triangles"
    yield "count-huge.gltf", gltf("accessors.0.count", 4294967295), "MB of triangles"
    yield "count-large.gltf", gltf("accessors.0.count", 40000000), "does not fit into bufferView 0"
    yield "count-zero.gltf", gltf("accessors.0.count", 0), "count is not possible"
    yield "count-half.gltf", gltf("accessors.0.count", 2.5), "count is not possible"
    yield "count-word.gltf", gltf("accessors.0.count", "3"), "count is not possible"
    yield "count-negative.gltf", gltf("accessors.1.count", -3), "count is not possible"
    yield "no-accessor.gltf", gltf("meshes.0.primitives.0.indices", 9), "accessor 9 is not there"
    yield "offset-negative.gltf", gltf("accessors.0.byteOffset", -4), "makes no sense"
    yield "offset-beyond.gltf", gltf("accessors.0.byteOffset", 1 << 52), "does not fit"
    yield "type.gltf", gltf("accessors.0.type", "VEC2"), "not of type VEC3"
    yield "component.gltf", gltf("accessors.0.componentType", 5124), "makes no sense"
    yield "stride.gltf", gltf("bufferViews.0.byteStride", 1), "does not fit"
    yield "view-beyond.gltf", gltf("bufferViews.0.byteLength", 1000), "beyond the end of its buffer"
    yield "view-wraps.gltf", gltf("bufferViews.0.byteOffset", (1 << 53) - 36), "beyond the end of its buffer"
    yield "no-view.gltf", gltf("accessors.0.bufferView", 7), "bufferView 7 is not there"
    yield "no-buffer.gltf", gltf("bufferViews.0.buffer", 3), "there is no buffer 3"
    yield "no-data.gltf", gltf("accessors.0.bufferView", None), "no data"
    yield "no-uri.gltf", gltf("buffers.0.uri", None), "buffer 0 has no uri"
    yield "buffer-huge.gltf", gltf("buffers.0.byteLength", (1 << 53) - 1), "shorter than its byteLength"
    yield "buffer-device.gltf", gltf("buffers.0.uri", "/dev/zero"), "'/dev/zero' is not a file"
    yield "buffer-folder.gltf", gltf("buffers.0.uri", "."), "is not a file"
    yield "buffer-pipe.gltf", gltf("buffers.0.uri", "pipe.bin"), "'pipe.bin' is not a file"
    yield "buffer-missing.gltf", gltf("buffers.0.uri", "none%20there.bin"), "is not a file"
    yield "buffer-web.gltf", gltf("buffers.0.uri", "http://example.org/a.bin"), "is not a file"
    yield "buffer-text.gltf", gltf("buffers.0.uri", "data:text/plain,abc"), "base64"
    yield "buffer-letters.gltf", gltf("buffers.0.uri", "data:;base64,AA?A"), "base64"
    yield "index-beyond.gltf", gltf("accessors.0.count", 2), "a vertex that does not exist"
    yield "index-real.gltf", gltf("meshes.0.primitives.0.indices", 0), "not of type SCALAR"
    yield "no-mesh.gltf", gltf("nodes.0.mesh", 77), "names mesh 77"
    yield "no-node.gltf", gltf("scenes.0.nodes", [99]), "node 99"
    yield "no-scene.gltf", gltf("scenes", None), "no scene"
    yield "lines.gltf", gltf("meshes.0.primitives.0.mode", 1), "no triangles"
    yield "matrix-short.gltf", gltf("nodes.0.matrix", [1] * 15), "node 0 makes no sense"
    yield "matrix-huge.gltf", gltf("nodes.0.matrix", [1e38] * 16), "within 1e6 metres"
    yield "far.gltf", gltf("nodes.0.translation", [0, 1e300, 0]), "within 1e6 metres"
    yield "sparse.gltf", gltf("accessors.0", sparse_accessor()), None
    yield "sparse-huge.gltf", gltf("accessors.0", dict(sparse_accessor(), count=100000000)), "MB of triangles"
    yield "sparse-many.gltf", gltf("accessors.0", sparse_accessor(count=4)), "sparse"
    yield "sparse-where.gltf", gltf("accessors.0", sparse_accessor(
        indices={"bufferView": 0, "byteOffset": 12, "componentType": 5125})), "an element that does not exist"
    yield "draco.gltf", gltf(extensionsRequired=["KHR_draco_mesh_compression"]), "without Draco compression"
    yield "meshopt.gltf", gltf("buffers.0.uri", None, extensionsRequired=["EXT_meshopt_compression"]), "gltfpack without -c"
    yield "instancing.gltf", gltf(extensionsRequired=["EXT_mesh_gpu_instancing"]), "EXT_mesh_gpu_instancing"
    yield "extension.gltf", gltf(extensionsRequired=["ACME_holes"]), "the glTF extension ACME_holes"
    yield "extension-number.gltf", gltf(extensionsRequired=[7]), "extension"
    yield "nested.gltf", '{"extras": ' + "[" * 200000, "64 deep"
    yield "cut.gltf", gltf()[:-40], "JSON cannot be read"
    yield "not-a-number.gltf", gltf().replace('"scene": 0', '"scene": NaN'), "JSON cannot be read"
    yield "zero-byte.gltf", gltf().replace('"asset"', '"as\0et"'), "JSON cannot be read"
    yield "zeros.gltf", Sparse(), "this is not glTF"
    yield "zeros.glb", Sparse(), "this is not glTF"
    yield "head-only.glb", glb()[:12], "ends too early"
    yield "four-gigabytes.glb", glb(total=0xffffffff, text_size=0xfffffff0), "ends too early"
    yield "chunk-long.glb", glb(text_size=1000), "beyond the end of the file"
    yield "chunk-other.glb", glb(kind=b"NONE"), "first chunk is not JSON"
    yield "data-long.glb", glb(gltf("buffers.0.uri", None).encode(), TRIANGLE, data_size=5000), "chunk of data"
    yield "data-short.glb", glb(gltf("buffers.0.uri", None).encode(), TRIANGLE[:20]), "shorter than its byteLength"
    yield "old.glb", glb(version=1), "cannot be read as a mesh"


# ----------------------------------------------------------------------------------------------- other meshes

CORNERS = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"


def ply(head, body, form="ascii"):
    text = "ply\nformat %s 1.0\n%send_header\n" % (form, head)
    return text.encode() + (body.encode() if isinstance(body, str) else body)


VERTICES = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
FACE = "element face 1\nproperty list %s int vertex_indices\n"
POINTS = "0 0 0\n1 0 0\n0 1 0\n"


def collada(depth):
    nodes = "".join('<node id="n%d">' % i for i in range(depth)) + "</node>" * depth
    return ('<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><library_visual_scenes>'
            '<visual_scene id="s">%s</visual_scene></library_visual_scenes><scene>'
            '<instance_visual_scene url="#s"/></scene></COLLADA>' % nodes)


def mesh_cases():
    yield "nan.obj", CORNERS.replace("v 1", "v nan") + "f 1 2 3\n", ":2: 'nan' is not a finite number"
    yield "inf.obj", CORNERS.replace("v 1", "v inf") + "f 1 2 3\n", "not a finite number"
    yield "overflow.obj", CORNERS.replace("v 1", "v 1e39") + "f 1 2 3\n", "not a finite number"
    yield "far.obj", CORNERS.replace("v 1", "v 1e30") + "f 1 2 3\n", "within 1e6 metres"
    yield "tiny.obj", "v 1e-45 0 0\nv 1e-40 1e-44 0\nv 0 1e-42 0\nf 1 2 3\n", None
    yield "no-vertex.obj", CORNERS + "f 1 2 999999999\n", "there is no vertex 999999999"
    yield "vertex-0.obj", CORNERS + "f 0 1 2\n", "there is no vertex 0"
    yield "before-first.obj", CORNERS + "f -9 -8 -7\n", "there is no vertex -9"
    yield "only-vertices.obj", "v 0 0 0\n" * 10, "no triangles"
    yield "long-number.obj", "v " + "1" * 2000000 + " 0 0\n" + CORNERS + "f 1 2 3\n", "not a finite number"
    yield "corners.obj", CORNERS + "f " + "1 2 3 " * 100000 + "\n", "300000 corners"
    yield "material-device.obj", "mtllib /dev/zero\n" + CORNERS + "f 1 2 3\n", None
    yield "material-pipe.obj", "mtllib pipe.bin\n" + CORNERS + "f 1 2 3\n", None
    yield "zeros.obj", Sparse(), "not text"
    yield "device.obj", Link("/dev/zero"), "pipe or device"
    yield "waiting.obj", Pipe(), "pipe or device"
    yield "count.stl", bytes(80) + struct.pack("<I", 0xffffffff) + bytes(50), "4294967295 triangles"
    yield "count-0.stl", bytes(84), "no triangles"
    yield "zeros.stl", Sparse(), "no triangles"
    yield "no-end.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", "endsolid"
    yield "nan.stl", "solid x\nfacet\nouter loop\nvertex 0 0 nan\nendloop\nendfacet\nendsolid\n", "'nan'"
    yield "corners.stl", "solid x\nfacet\nvertex 0 0 0\nvertex 1 0 0\nendfacet\nendsolid\n", "three vertices"
    yield "nan-binary.stl", (bytes(80) + struct.pack("<I", 1) + struct.pack("<12fH", *[float("nan")] * 12, 0)), "must be finite"
    yield "zeros.ply", Sparse(), "not a PLY file"
    yield "count.ply", ply(VERTICES.replace("3", "4000000000") + FACE % "uchar", "0 0 0\n"), "4000000000 elements"
    yield "list.ply", ply(VERTICES + FACE % "uint", struct.pack("<9fI3i", *[0] * 9, 0xffffffff, 0, 1, 2),
                          "binary_little_endian"), "16384 at most"
    yield "list-negative.ply", ply(VERTICES + FACE % "char", POINTS + "-3 0 1 2\n"), "three vertices"
    yield "list-real.ply", ply(VERTICES + FACE % "float", POINTS + "3 0 1 2\n"), "expected: property"
    yield "index.ply", ply(VERTICES + FACE % "uchar", POINTS + "3 0 1 3\n"), "a vertex that does not exist"
    yield "nan.ply", ply(VERTICES + FACE % "uchar", "0 0 nan\n" + POINTS[6:] + "3 0 1 2\n"), "finite number"
    yield "type.ply", ply("element vertex 3\nproperty quad x\n", ""), "expected: property"
    yield "elements.ply", ply("element a 1\n" * 17, ""), "16 elements"
    yield "properties.ply", ply("element a 1\n" + "property int p\n" * 65, ""), "64 properties"
    yield "order.ply", ply("property int p\n", ""), "before the first element"
    yield "header.ply", "ply\nformat ascii 1.0\n" + "comment x\n" * 1000, "no end_header"
    yield "deep.dae", collada(60000), "the importer crashed on this file"
    yield "cut.dae", collada(3)[:-30], "cannot be read as a mesh"
    yield "zeros.fbx", b"Kaydara FBX Binary  \0\x1a\0" + bytes(400), "cannot be read as a mesh"
    yield "lengths.fbx", b"Kaydara FBX Binary  \0\x1a\0" + b"\xff" * 400, "cannot be read as a mesh"
    yield "bytes.3ds", bytes(range(256)) * 4, "cannot be read as a mesh"


# ------------------------------------------------------------------------------------------------------ scenes

BOX = "box 0 0 0 1 1 1\n"


def scene_cases():
    yield "itself.scene", "mesh itself.scene\n", "unknown kind of file"
    yield "passwords.scene", "mesh /etc/passwd\n", "unknown kind of file"
    yield "mesh-device.scene", "mesh device.obj\n", "pipe or device"
    yield "copies.scene", "repeat 1000000000 1 0 0\n" + BOX + "end\n", "up to 1000000"
    yield "copies-negative.scene", "repeat -1 0 0 0\nend\n", "expected: repeat"
    yield "nested.scene", "repeat 1000 1 0 0\n" * 6 + BOX + "end\n" * 6, "nested.scene:7: more than a million obstacles"
    yield "nested-deep.scene", "repeat 1 1 0 0\n" * 100000 + BOX + "end\n" * 100000, "16 deep"
    yield "open.scene", "repeat 3 1 0 0\n" + BOX, "has no end"
    yield "closed.scene", BOX + "end\n", "end without repeat"
    yield "nan.scene", "box nan 0 0 1 1 1\n", "not a finite number"
    yield "inf.scene", "bounds 0 0 0 inf 1 1\n" + BOX, "not a finite number"
    yield "fine.scene", "resolution 1e-9\n" + BOX, "use a resolution"
    yield "fine-0.scene", "resolution 0\n" + BOX, "above 0"
    yield "line.scene", "hull 0 0 0 1 0 0 2 0 0 3 0 0\n", "on one line"
    yield "points.scene", "hull " + " ".join("%d %d %d" % (i % 7, i % 5, i % 3) for i in range(3000)) + "\n", None
    yield "zones.scene", "bounds 0 0 0 9 9 9\n" + "zone 0 0 0 1 1 1 2\n" * 65, "64 zones"
    yield "farlink.scene", "bounds 0 0 0 9 9 9\nlink 1 1 1 1e60 1 1 2\n", "1e38"
    yield "links.scene", "bounds 0 0 0 9 9 9\n" + "link 0 0 0 1 1 1 2\n" * 65, "64 links"
    yield "zero-byte.scene", BOX + "\0\n", "not a text file"
    yield "zeros.scene", Sparse(), "16 MB at most"
    yield "device.scene", Link("/dev/zero"), "pipe or a device"
    yield "axis.scene", "oriented 0 0 0 1 1 1 0 0 0 45\n", "no length"
    yield "flags.scene", "flags 99999999999\n" + BOX, "whole number"
    yield "name.scene", "bounds 0 0 0 4 4 4\nroute " + "x" * 5000 + " 0 0 0 1 1 1\n" + BOX, None


# -------------------------------------------------------------------------------------------------------- maps


def bt(head="id OcTree\nsize 9\nres 0.5\n", tree=b"\xaa\xaa"):
    return ("# Octomap OcTree binary file\n" + head + "data\n").encode() + tree


def ot(size, nodes, resolution=0.5):
    """A full tree; a node is its log-odds and the mask of its children."""
    head = "# Octomap OcTree file\nid OcTree\nsize %d\nres %g\ndata\n" % (size, resolution)
    return head.encode() + b"".join(struct.pack("<fB", *node) for node in nodes)


def map_cases():
    yield "cube.3dmap", "voxel 1048576 1048576 1048576\n0 0 0\n", "use a coarser resolution"
    yield "large.3dmap", "voxel 1048577 1 1\n", "X is above 1048576"
    yield "larger.3dmap", "voxel 99999999999999999999 1 1\n", "X is above 1048576"
    yield "flat.3dmap", "voxel 0 1 1\n", "X is below 1"
    yield "outside.3dmap", "voxel 3 3 3\n1 1 3\n", "outside the dimensions"
    yield "again.3dmap", "voxel 3 3 3\n" + "1 1 1\n" * 200000, None
    yield "zeros.3dmap", Sparse(), "this is no map"
    yield "zeros-later.3dmap", Sparse(b"voxel 3 3 3\n1 1 "), "not a whole number"
    yield "device.3dmap", Link("/dev/zero"), "pipe or a device"
    yield "long-word.3dmap", "voxel " + "1" * 3000000 + " 1 1\n", "header 'voxel X Y Z'"
    yield "plain.bt", bt("id OcTree\nsize 24\nres 0.5\n", b"\3\0" * 15 + b"\xaa\xaa"), None
    yield "world.bt", bt(), "use larger voxels"
    yield "zeros.bt", Sparse(), "no OctoMap file"
    yield "device.bt", Link("/dev/zero"), "pipe or a device"
    yield "size-0.bt", bt("id OcTree\nsize 0\nres 0.5\n"), "nothing is known in it"
    yield "size.bt", bt("id OcTree\nsize 99999999999\nres 0.5\n"), "above the limit"
    yield "size-more.bt", bt("id OcTree\nsize 4000000000\nres 0.5\n"), "4000000000"
    yield "res-0.bt", bt("id OcTree\nsize 9\nres 0\n"), "a resolution in metres"
    yield "res-nan.bt", bt("id OcTree\nsize 9\nres nan\n"), "a resolution in metres"
    yield "kind.bt", bt("id SemanticTree\nsize 9\nres 1\n"), "a kind of tree that is known"
    yield "no-data.bt", bt()[:45], "before the line 'data'"
    yield "deep.bt", bt("id OcTree\nsize 99999\nres 0.5\n", b"\xff" * 60000), "16 levels"
    yield "cut.bt", bt("id OcTree\nsize 99\nres 0.5\n", b"\xff\xff"), "truncated"
    yield "empty.bt", bt("id OcTree\nsize 1\nres 0.5\n", b"\0\0"), "known"
    yield "plain.ot", ot(18, [(1, 1)] * 15 + [(1, 3), (1, 0), (-1, 0)]), None
    yield "cut.ot", ot(9, [(1, 255)]), "truncated"
    yield "deep.ot", ot(99, [(1, 1)] * 40), "16 levels"
    yield "nan.ot", ot(1, [(float("nan"), 0)]), "not a number"
    yield "more.ot", ot(1, [(1, 1), (1, 0)]), "more nodes"
    yield "device.ot", Link("/dev/zero"), "pipe or a device"


# ----------------------------------------------------------------------------------------------------- brushes


def face(points, texture="stone", rest=" 0 0 0 1 1\n"):
    return " ".join("( %s %s %s )" % tuple(p) for p in points) + " " + texture + rest


def brush(low=(0, 0, 0), high=(2, 3, 4)):
    (a, b, c), (d, e, f) = low, high
    return "{\n" + "".join(map(face, (
        ((a, b, c), (a, b + 1, c), (a, b, c + 1)), ((a, b, c), (a, b, c + 1), (a + 1, b, c)), ((a, b, c), (a + 1, b, c), (a, b + 1, c)),
        ((d, e, f), (d, e + 1, f), (d + 1, e, f)), ((d, e, f), (d + 1, e, f), (d, e, f + 1)), ((d, e, f), (d, e, f + 1), (d, e + 1, f))))) + "}\n"


def ball(faces):
    """As many faces as are given, each touching a sphere: the most work that a brush can make."""
    text = "{\n"
    for i in range(faces):
        z = 1 - (2 * i + 1) / faces
        r, turn = math.sqrt(1 - z * z), i * 2.399963
        n = (r * math.cos(turn), r * math.sin(turn), z)
        u = (-math.sin(turn), math.cos(turn), 0)
        v = (n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0])
        p = [tuple("%.6f" % (20 * n[k] + 10 * (s * u[k] + t * v[k])) for k in range(3)) for s, t in ((0, 0), (0, 1), (1, 0))]
        text += face(p)
    return text + "}\n"


def brush_cases():
    def world(text):
        return '{\n"classname" "worldspawn"\n' + text + "}\n"
    yield "plain.map", world(brush()), None
    yield "round.map", world(ball(128)), None
    yield "rounds.map", world(ball(128) * 12), None
    yield "faces.map", world(ball(129)), "faces.map:132: a brush has more than 128 faces"
    yield "many.map", world(brush() * 3000), None
    yield "zeros.map", Sparse(), "zero byte"
    yield "zeros-comment.map", Sparse(b"// a"), "zero byte"
    yield "zeros-string.map", Sparse(b'{\n"classname'), "zeros-string.map:2: a string has no quote"
    yield "device.map", Link("/dev/zero"), "pipe or a device"
    yield "long-word.map", "x" * 3000000, "the '{' of an entity"
    yield "long-string.map", '{\n"' + "x" * 3000000 + '" "y"\n' + brush() + "}\n", None
    yield "nan.map", world("{\n" + face((("nan", 0, 0), (0, 1, 0), (0, 0, 1))) + "}\n"), "nan.map:4: point of a face"
    yield "inf.map", world("{\n" + face((("1e999", 0, 0), (0, 1, 0), (0, 0, 1))) + "}\n"), "1e6 units"
    yield "far.map", world("{\n" + face((("1e7", 0, 0), (0, 1, 0), (0, 0, 1))) + "}\n"), "1e6 units"
    yield "flat.map", world("{\n" + face(((0, 0, 0), (0, 1, 0), (0, 2, 0))) + "}\n"), "no brush of it blocks"
    yield "open.map", world("{\n" + face(((0, 0, 0), (0, 1, 0), (0, 0, 1))) + "}\n"), "no brush of it blocks"
    yield "tiny.map", world(brush(high=(1e-9, 1e-9, 1e-9))), "no brush of it blocks"
    yield "nested.map", "{\n" * 100000, "nested.map:3: brush: '{' is not a face"
    yield "patch.map", world("{\npatchDef2\n{\n}\n}\n"), "curved patches"
    yield "mesh.map", "solid cube\nfacet normal 0 0 1\n", "the '{' of an entity"


def scenario_cases():
    head = "version 1\nsmall.3dmap\n"
    yield "version.3dscen", "version 2\nsmall.3dmap\n", "a version that is known"
    yield "negative.3dscen", head + "-1 0 0 1 1 1 1 1\n", "coordinate 1"
    yield "outside.3dscen", head + "0 0 0 9 9 9 1 1\n", "outside the map"
    yield "nan.3dscen", head + "0 0 0 1 1 1 nan 1\n", "finite number"
    yield "short.3dscen", head + "0 0 0 1 1\n", "query"
    yield "name.3dscen", "version 1\n" + "n" * 3000000 + "\n", "longer than 255"
    yield "other.3dscen", "version 1\nother.3dmap\n0 0 0 1 1 1 1 1\n", "belongs to the map 'other.3dmap'"
    yield "zeros.3dscen", Sparse(), "this is no scenario"
    yield "device.3dscen", Link("/dev/zero"), "pipe or a device"


# ------------------------------------------------------------------------------------------- .vnav and .vnrec

MASK = (1 << 64) - 1
P1, P2, P3, P4, P5 = (0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0x85ebca77c2b2ae63,
                      0x27d4eb2f165667c5)


def rotate(x, n):
    return (x << n | x >> (64 - n)) & MASK


def xxh64(data, seed=0):
    """The checksum of the format, written from its description."""
    def mix(lane, word):
        return rotate((lane + word * P2) & MASK, 31) * P1 & MASK

    at, hash_ = 0, (seed + P5) & MASK
    if len(data) >= 32:
        lanes = [(seed + P1 + P2) & MASK, (seed + P2) & MASK, seed, (seed - P1) & MASK]
        for at in range(0, len(data) - 31, 32):
            lanes = [mix(lane, word) for lane, word in zip(lanes, struct.unpack_from("<4Q", data, at))]
        at += 32
        hash_ = sum(rotate(lane, n) for lane, n in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            hash_ = ((hash_ ^ mix(0, lane)) * P1 + P4) & MASK
    hash_ = (hash_ + len(data)) & MASK
    while at + 8 <= len(data):
        hash_ = (rotate(hash_ ^ mix(0, struct.unpack_from("<Q", data, at)[0]), 27) * P1 + P4) & MASK
        at += 8
    if at + 4 <= len(data):
        hash_ = (rotate(hash_ ^ struct.unpack_from("<I", data, at)[0] * P1 & MASK, 23) * P2 + P3) & MASK
        at += 4
    for byte in data[at:]:
        hash_ = rotate(hash_ ^ byte * P5 & MASK, 11) * P1 & MASK
    hash_ = (hash_ ^ hash_ >> 33) * P2 & MASK
    hash_ = (hash_ ^ hash_ >> 29) * P3 & MASK
    return hash_ ^ hash_ >> 32


HEAD, ENTRY = "<8sIIIIQQIIQQ", "<6IQQQQ"  # docs/files.md


class Store:
    """The head and the sections of a saved file, to be changed and put together again with right checksums."""

    def __init__(self, data):
        self.head = list(struct.unpack_from(HEAD, data))
        self.sections = []  # [layer, tag, first, count, codec, zero, unpacked, bytes]
        for i in range(self.head[4]):
            e = struct.unpack_from(ENTRY, data, 64 + 56 * i)
            self.sections.append([*e[:6], e[8], data[e[6]:e[6] + e[7]]])

    def bytes(self, **lies):
        """`lies`: fields of the head by name that are not what they should be."""
        at = 64 + 56 * len(self.sections)
        table = content = b""
        for *key, unpacked, stored in self.sections:
            content += b"\0" * (-(at + len(content)) % 16)
            table += struct.pack(ENTRY, *key, at + len(content), len(stored), unpacked, xxh64(stored))
            content += stored
        names = ("magic", "version", "byte_order", "kind", "count", "size", "source", "layers", "zero_1", "zero_2")
        head = dict(zip(names, self.head))
        head.update(count=len(self.sections), size=at + len(content))
        head.update(lies)
        first = struct.pack(HEAD, *head.values(), 0)[:56]
        return first + struct.pack("<Q", xxh64(table, xxh64(first))) + table + content

    def changed(self, tag, codec=None, unpacked=None, stored=None):
        """A copy with another codec, size or content in its first section of a kind."""
        other = copy.deepcopy(self)
        section = next(s for s in other.sections if s[1] == tag)
        section[4] = section[4] if codec is None else codec
        section[7] = section[7] if stored is None else stored
        section[6] = section[6] if unpacked is None else unpacked
        return other.bytes()


def zstd(size, window=7, says=None):
    """A zstd frame of `size` zeros as runs of 128 KB, four bytes each: a bomb. `says`: the size in its head."""
    frame = struct.pack("<I", 0xfd2fb528)
    frame += bytes([0, window << 3]) if says is None else bytes([0xc0, window << 3]) + struct.pack("<Q", says)
    while True:
        run = min(size, 1 << 17)
        size -= run
        frame += struct.pack("<I", run << 3 | 1 << 1 | (size == 0))[:3] + b"\0"
        if size == 0:
            return frame


PARAMS, OCCUPANCY, CELLS, COMMENT = 1, 2, 4, 16
SECTION_LIMIT = 1 << 26


def params(store, dims=None, resolution=None):
    content = bytearray(next(s for s in store.sections if s[1] == PARAMS)[7])
    if dims is not None:
        struct.pack_into("<3i", content, 64, *dims)
    if resolution is not None:
        struct.pack_into("<f", content, 0, resolution)
    return store.changed(PARAMS, stored=bytes(content))


def many_bombs(store, count):
    """Sections that each unpack to as much as a section may."""
    other = copy.deepcopy(store)
    section = next(s for s in other.sections if s[1] == OCCUPANCY)
    at = other.sections.index(section)
    bomb = [*section[:2], 0, 0, 1, 0, SECTION_LIMIT, zstd(SECTION_LIMIT)]
    other.sections[at:at + 1] = [[*bomb[:2], i, 1, *bomb[4:]] for i in range(count)]
    return other.bytes()


def store_cases(vnav, vnrec):
    """`vnav` and `vnrec` are files that the tool has saved."""
    store = Store(vnav)
    packed, wrong = "is there twice, too long, or packed wrongly", "number 0 is packed wrongly"
    yield "again.vnav", store.bytes(), None
    yield "zeros.vnav", Sparse(), "begins with other bytes"
    yield "longer.vnav", Sparse(vnav), "bytes follow the end"
    yield "magic.vnav", vnav[:8], "ends inside its header"
    yield "cut.vnav", vnav[:-1], "truncated"
    yield "text.vnav", vnav.replace(b"\r\n\x1a", b"\n\x1a", 1), "line endings"
    yield "size.vnav", store.bytes(size=1 << 60), "truncated"
    yield "sections.vnav", store.bytes(count=0x7fffffff), "truncated"
    yield "newer.vnav", store.bytes(version=99), "format version 99"
    yield "order.vnav", store.bytes(byte_order=0x04030201), "big-endian"
    yield "kind.vnav", store.bytes(kind=3), "invalid file header"
    yield "layers.vnav", store.bytes(layers=1000), "invalid file header"
    yield "dims.vnav", params(store, dims=(1 << 20,) * 3), "are invalid"
    yield "dims-negative.vnav", params(store, dims=(-1, 8, 8)), "are invalid"
    yield "dims-other.vnav", params(store, dims=(10000, 10000, 10000)), "2 of 3869893 occupancy"
    yield "resolution.vnav", params(store, resolution=float("nan")), "are invalid"
    yield "codec.vnav", store.changed(OCCUPANCY, codec=77), "codec 77"
    yield "section-long.vnav", store.changed(OCCUPANCY, codec=1, unpacked=SECTION_LIMIT + 1, stored=zstd(100)), "more than 67108864"
    yield "bomb.vnav", store.changed(OCCUPANCY, codec=1, unpacked=100, stored=zstd(SECTION_LIMIT)), wrong
    yield "bomb-params.vnav", store.changed(PARAMS, codec=1, unpacked=120, stored=zstd(1 << 30)), packed
    yield "bomb-comment.vnav", store.changed(COMMENT, codec=1, unpacked=10, stored=zstd(1 << 30)), packed
    yield "bomb-long.vnav", store.changed(CELLS, codec=1, unpacked=SECTION_LIMIT, stored=zstd(SECTION_LIMIT + 1)), wrong
    yield "bomb-short.vnav", store.changed(CELLS, codec=1, unpacked=SECTION_LIMIT, stored=zstd(1)), wrong
    yield "bomb-window.vnav", store.changed(OCCUPANCY, codec=1, unpacked=100, stored=zstd(100, window=21)), "more bricks than there are bytes"
    yield "bomb-says.vnav", store.changed(OCCUPANCY, codec=1, unpacked=100, stored=zstd(100, says=1 << 60)), wrong
    yield "bombs.vnav", many_bombs(store, 300), "unpacks to"
    yield "zeros-packed.vnav", store.changed(OCCUPANCY, codec=1, unpacked=0, stored=zstd(0)), "nothing in it"
    yield "device.vnav", Link("/dev/zero"), "pipe or a device"
    yield "waiting.vnav", Pipe(), "pipe or a device"
    yield "zeros.vnrec", Sparse(), "begins with other bytes"
    yield "space.vnrec", vnav, "no recorded request"
    yield "cut.vnrec", vnrec[:-1], "truncated"
    yield "device.vnrec", Link("/dev/zero"), "pipe or a device"
    yield "bomb.vnrec", Store(vnrec).changed(35, codec=1, unpacked=100, stored=zstd(1 << 28)), packed


def put(folder, name, content):
    """Writes one case into a folder."""
    path = folder / name
    if isinstance(content, Link):
        os.symlink(content.target, path)
    elif isinstance(content, Pipe):
        os.mkfifo(path)
    elif isinstance(content, Sparse):
        path.write_bytes(content.head)
        os.truncate(path, content.size)
    else:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
